import { useRef } from "react";
import { Form } from "react-router";
import { Button } from "../ui/button.tsx";
import { DOCUMENTS_PATH } from "./document-paths.ts";

const SORT_LABELS = { family: "Family", newest: "Newest first", name: "Name", size: "Largest first" };

/** Form that selects the sort order: immediately with JavaScript, with a button without it. */
type SortFormProps = { sort: keyof typeof SORT_LABELS; search: string; showsOnlyNew: boolean; isAdmin: boolean };

export function DocumentSortForm({ sort, search, showsOnlyNew, isAdmin }: SortFormProps) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <Form
      ref={form}
      method="get"
      action={DOCUMENTS_PATH}
      preventScrollReset
      className="flex flex-wrap items-center gap-2"
    >
      {search && <input type="hidden" name="q" value={search} />}
      {showsOnlyNew && <input type="hidden" name="show" value="new" />}
      <label htmlFor="sort" className="label">
        Sort by
      </label>
      <select
        id="sort"
        name="sort"
        className="input w-auto"
        defaultValue={sort}
        onChange={() => form.current?.requestSubmit()}
      >
        {Object.entries(SORT_LABELS).map(
          ([value, label]) =>
            (isAdmin || value !== "family") && (
              <option key={value} value={value}>
                {label}
              </option>
            ),
        )}
      </select>
      <noscript>
        <Button type="submit">Sort</Button>
      </noscript>
    </Form>
  );
}
