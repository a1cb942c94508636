import { Form } from "react-router";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { Button } from "../../ui/button.tsx";

type MarkAsReadProps = {
  field: "document" | "formOf";
  ids: readonly number[];
  nouns: [one: string, many: string];
  asOf: string;
};

/** Marks the rows above it as read, but none that the list does not show. */
export function MarkAsReadForm({ field, ids, nouns, asOf }: MarkAsReadProps) {
  return (
    <li className="attention-row">
      <Form method="post" action="/dashboard" preventScrollReset>
        <input type="hidden" name="until" value={asOf} />
        {ids.map((id) => (
          <input key={id} type="hidden" name={field} value={id} />
        ))}
        <Button variant="quiet" busyText="Saving…" className="-ml-3">
          Mark {ids.length === 1 ? `this ${nouns[0]}` : `these ${formatCountWithNoun(ids.length, ...nouns)}`} as read
        </Button>
      </Form>
    </li>
  );
}
