import type { AnyField } from "../../ui/page-form.ts";
import type { DayPickerData } from "../availability/free-days.server.ts";

/** A field for a time that is not among those offered. */
export function TypedTime({ field, freeDays }: { field: AnyField; freeDays: DayPickerData }) {
  const { firstDay, lastDay, zone } = freeDays;
  const inputId = `${field.id}-typed`;
  const initialTime = String(field.initialValue ?? "");
  return (
    <details open={initialTime !== ""}>
      <summary className="text-summary">Type a date and time</summary>
      <div className="field mt-2">
        <label className="label" htmlFor={inputId}>
          Date & Time
        </label>
        <p id={`${inputId}-hint`} className="hint">
          In {zone}. An open time chosen above counts first.
        </p>
        <input
          id={inputId}
          name={field.name}
          type="datetime-local"
          className="input w-full max-w-80 min-w-0"
          min={`${firstDay}T00:00`}
          max={`${lastDay}T23:59`}
          defaultValue={initialTime}
          aria-describedby={`${inputId}-hint`}
        />
      </div>
    </details>
  );
}
