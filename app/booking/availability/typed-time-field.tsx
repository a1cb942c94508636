import { FieldError } from "../../ui/field.tsx";
import type { AnyField } from "../../ui/use-server-validated-form.ts";
import type { DayPickerData } from "./day-picker-data.server.ts";

type TypedTimeProps = {
  field: AnyField;
  inputId: string;
  freeDays: DayPickerData;
  /** Why the typed time can't be booked. */
  error?: string | null;
};

/** Shows a field for a time that is not among the offered ones. */
export function TypedTimeField({ field, inputId, freeDays, error }: TypedTimeProps) {
  const { firstDay, lastDay, zone } = freeDays;
  const hintId = `${inputId}-hint`;
  const errorId = `${inputId}-error`;
  const initialTime = String(field.initialValue ?? "");
  return (
    <details open={initialTime !== ""}>
      <summary className="text-summary">Type a date and time</summary>
      <div className={error ? "field field-invalid mt-2" : "field mt-2"}>
        <label className="label" htmlFor={inputId}>
          Date & Time
        </label>
        <p id={hintId} className="hint">
          In {zone}. An open time chosen above counts first.
        </p>
        {error && <FieldError field={{ ...field, errors: [error], errorId }} />}
        <input
          id={inputId}
          name={field.name}
          type="datetime-local"
          className="input w-full max-w-80 min-w-0"
          min={`${firstDay}T00:00`}
          max={`${lastDay}T23:59`}
          defaultValue={initialTime}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${hintId} ${errorId}` : hintId}
        />
      </div>
    </details>
  );
}
