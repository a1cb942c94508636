import type { FormEvent } from "react";
import { Link } from "react-router";
import { controlProps, FieldError, Hint } from "../../ui/field.tsx";
import type { AnyField } from "../../ui/page-form.ts";
import type { DayPickerData } from "./free-days.server.ts";
import { FreeTimesOfDay } from "./free-times-of-day.tsx";
import { FreeDaysStatus, timeCountText } from "./free-times.tsx";

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
  const hint = `All times are ${zone}. An open time chosen above counts first.`;
  const control = controlProps({ field: appointmentDate, hint });

  /** Keeps slot and typed time exclusive: setting one clears the other. */
  function onInput({ target, currentTarget }: FormEvent<HTMLDivElement>) {
    const { name } = target as HTMLInputElement;
    const typed = currentTarget.querySelector<HTMLInputElement>(`input[name="${appointmentDate.name}"]`);
    if (name === slot.name && typed) typed.value = "";
    if (name !== appointmentDate.name) return;
    for (const radio of currentTarget.querySelectorAll<HTMLInputElement>(`input[name="${slot.name}"]`))
      radio.checked = false;
  }
  return (
    <div className="grid gap-5" onInput={onInput}>
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
      <details open={Boolean(appointmentDate.errors || initialTime)}>
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-primary underline underline-offset-4">
          Type a date and time
        </summary>
        <div className={appointmentDate.errors ? "field field-invalid mt-3" : "field mt-3"}>
          <label className="label" htmlFor={control.id}>
            Date & Time
          </label>
          <Hint field={appointmentDate}>{hint}</Hint>
          <FieldError field={appointmentDate} />
          <input
            {...control}
            type="datetime-local"
            className="input max-w-80"
            min={`${freeDays.firstDay}T00:00`}
            max={`${freeDays.lastDay}T23:59`}
            defaultValue={initialTime}
          />
        </div>
      </details>
    </div>
  );
}
