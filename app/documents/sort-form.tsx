import { useRef } from "react";
import { Form } from "react-router";
import { Button } from "../ui/button.tsx";
import { LIST } from "./addresses.ts";

const LABELS = { newest: "Newest first", name: "Name", size: "Largest first" };

/** Chooses the order: at once with a script, with a button without one. */
export function SortForm({ sort, question }: { sort: keyof typeof LABELS; question: string }) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <Form ref={form} method="get" action={LIST} preventScrollReset className="flex flex-wrap items-center gap-2">
      {question && <input type="hidden" name="q" value={question} />}
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
        {Object.entries(LABELS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <noscript>
        <Button type="submit">Sort</Button>
      </noscript>
    </Form>
  );
}
