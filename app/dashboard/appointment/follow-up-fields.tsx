import { CheckboxField } from "../../ui/checkbox-field.tsx";
import type { AnyField } from "../../ui/use-server-validated-form.ts";
import { TextField } from "../../ui/text-field.tsx";

type FollowUpLinesProps = { lines: readonly number[]; field: (name: string) => AnyField; today: string };

/** Shows the fields for follow-ups: the first line, and further lines collapsed until one is used. */
export function FollowUpFields({ lines: [first = 1, ...more], field, today }: FollowUpLinesProps) {
  return (
    <fieldset className="grid gap-4">
      <legend className="label mb-2">Follow-ups</legend>
      <FollowUpLine number={first} field={field} today={today} />
      <details className="disclosure" open={more.some((line) => hasValueOrError(field(`followUp${line}`)))}>
        <summary>More follow-ups</summary>
        <div className="grid gap-4">
          {more.map((line) => (
            <FollowUpLine key={line} number={line} field={field} today={today} />
          ))}
        </div>
      </details>
    </fieldset>
  );
}

type LineProps = { number: number; field: (name: string) => AnyField; today: string };

/** Shows one follow-up. The day is prefilled; a line without a text is not saved. */
function FollowUpLine({ number, field, today }: LineProps) {
  const ending = number === 1 ? "" : ` ${number}`;
  return (
    <div className="grid gap-3 md:grid-cols-[1fr_auto_auto] md:items-end">
      <TextField field={field(`followUp${number}`)} label={`To do${ending}`} optional maxLength={300} />
      <TextField field={field(`dueDay${number}`)} label={`By when${ending}`} type="date" width="short" min={today} />
      <CheckboxField field={field(`isShared${number}`)} label="The family sees it" optional />
    </div>
  );
}

function hasValueOrError({ initialValue, errors }: AnyField): boolean {
  return Boolean(initialValue) || errors !== undefined;
}
