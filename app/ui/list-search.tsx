import { type ReactNode, useId } from "react";
import { Form } from "react-router";
import { Button, LinkButton } from "./button.tsx";

type Filter = { name: string; label: string; value: string; options: readonly { value: string; label: string }[] };

export type ListSearchProps = {
  /** The path of the page, without filters. */
  action: string;
  label: string;
  hint?: ReactNode;
  search: string;
  filters?: readonly Filter[];
  isFiltered: boolean;
  /** Additional fields. */
  children?: ReactNode;
};

/** Shows the search and the filters of a list as a GET form, so that results have a URL that can be shared. */
export function ListSearch({ action, label, hint, search, filters = [], isFiltered, children }: ListSearchProps) {
  const id = useId();
  return (
    <Form method="get" action={action} role="search" className="list-search">
      <div className="field">
        <label className="label" htmlFor={`${id}-q`}>
          {label}
        </label>
        {hint && (
          <p className="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
        <input
          key={search}
          id={`${id}-q`}
          type="search"
          name="q"
          className="input"
          defaultValue={search}
          maxLength={100}
          autoComplete="off"
          aria-describedby={hint ? `${id}-hint` : undefined}
        />
      </div>
      {(filters.length > 0 || children) && (
        <div className="list-filters">
          {filters.map((filter) => (
            <div className="field" key={filter.name}>
              <label className="label" htmlFor={`${id}-${filter.name}`}>
                {filter.label}
              </label>
              <select
                key={filter.value}
                id={`${id}-${filter.name}`}
                name={filter.name}
                className="input"
                defaultValue={filter.value}
              >
                {filter.options.map(({ value, label: text }) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </select>
            </div>
          ))}
          {children}
        </div>
      )}
      <Button>Search</Button>
      {isFiltered && (
        <LinkButton variant="quiet" to={action}>
          Show all
        </LinkButton>
      )}
    </Form>
  );
}
