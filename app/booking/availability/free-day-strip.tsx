import { type FormEvent, useState } from "react";
import { Link } from "react-router";
import { FieldError } from "../../ui/field.tsx";
import type { AnyField } from "../../ui/use-server-validated-form.ts";
import type { DayPickerData } from "./day-picker-data.server.ts";
import { FreeTimesOfDay } from "./free-times-of-day.tsx";
import { FreeDaysStatus, timeCountText } from "./free-times.tsx";
import { TypedTimeField } from "./typed-time-field.tsx";

type FreeDayStripProps = {
  freeDays: DayPickerData;
  fields: Record<"slot" | "appointmentDate", AnyField>;
  /** Address of the dialog. Each day is a link to it with `?date=`. */
  path: string;
};

/** Shows the next days with free times as links, the times of one of them, and a field for any other time. */
export function FreeDayStrip({ freeDays, fields, path }: FreeDayStripProps) {
  const { days, chosen, fullDay, earlierFrom, laterFrom, zone } = freeDays;
  const { slot, appointmentDate } = fields;
  const initialTime = String(appointmentDate.initialValue ?? "");
  const [isTyped, setTyped] = useState(initialTime !== "");
  // The errors belong to what was sent: a chosen time or the typed one.
  const [refused, setRefused] = useState({ errors: appointmentDate.errors, isTyped });
  if (refused.errors !== appointmentDate.errors) setRefused({ errors: appointmentDate.errors, isTyped });
  const [typedError] = refused.isTyped ? (refused.errors ?? []) : [];
  const errors = refused.isTyped ? undefined : refused.errors;

  /** Keeps slot and typed time exclusive: setting one clears the other. */
  function onInput({ target, currentTarget }: FormEvent<HTMLDivElement>) {
    const { name, value } = target as HTMLInputElement;
    setTyped(name === appointmentDate.name && value !== "");
    const typed = currentTarget.querySelector<HTMLInputElement>(`input[name="${appointmentDate.name}"]`);
    if (name === slot.name && typed) typed.value = "";
    if (name !== appointmentDate.name) return;
    for (const radio of currentTarget.querySelectorAll<HTMLInputElement>(`input[name="${slot.name}"]`))
      radio.checked = false;
  }
  return (
    <div
      role="group"
      aria-label="When"
      aria-describedby={errors && appointmentDate.errorId}
      id={typedError ? undefined : appointmentDate.id}
      tabIndex={-1}
      className={errors ? "field field-invalid grid gap-5" : "grid gap-5"}
      onInput={onInput}
    >
      {errors && <FieldError field={appointmentDate} />}
      <nav aria-label="Days with open times" className="day-strip day-strip-compact">
        {days.map(({ day, dayName, weekday, date, count }) => (
          <Link
            key={day}
            to={`${path}?date=${day}&from=${days[0]?.day ?? day}`}
            preventScrollReset
            replace
            className="day-strip-day"
            aria-current={day === chosen?.day ? "date" : undefined}
          >
            <span aria-hidden="true">
              <strong>{weekday}</strong> {date}
            </span>
            <span className="sr-only">{dayName}, </span>
            <span className="text-muted">{timeCountText(count)}</span>
          </Link>
        ))}
      </nav>
      <FreeDaysStatus chosen={chosen} fullDay={fullDay} />
      {chosen && <FreeTimesOfDay key={chosen.day} chosen={chosen} field={slot} zone={zone} />}
      <p className="actions -mt-2">
        {earlierFrom && (
          <Link
            to={`${path}?from=${earlierFrom}`}
            preventScrollReset
            replace
            className="button button-quiet -ml-[min(0.75rem,3vw)]"
          >
            Back to the first days
          </Link>
        )}
        {laterFrom && (
          <Link
            to={`${path}?from=${laterFrom}`}
            preventScrollReset
            replace
            className="button button-quiet -ml-[min(0.75rem,3vw)]"
          >
            Later days
          </Link>
        )}
      </p>
      <TypedTimeField
        field={appointmentDate}
        inputId={typedError ? appointmentDate.id : `${appointmentDate.id}-typed`}
        freeDays={freeDays}
        error={typedError}
      />
    </div>
  );
}
