import type { FormEvent } from "react";
import { Link } from "react-router";
import type { FreeWeek } from "../../booking/availability/day-picker-data.server.ts";
import { FreeTimeRadioGroup, timeCountText } from "../../booking/availability/free-times.tsx";
import { Button } from "../../ui/button.tsx";
import { controlProps, Field } from "../../ui/field.tsx";
import type { AnyField } from "../../ui/use-server-validated-form.ts";

type RescheduleTimeFieldsProps = {
  week: FreeWeek;
  fields: Record<"date" | "time" | "slot", AnyField>;
  /** Returns the dialog's address with the given `?date=`. */
  pathOf: (date: string | null) => string;
  hiddenFields: Record<string, string>;
};

/**
 * Shows the next seven days with free times, each with all of its times, so that choosing another day needs no extra
 * click. Fields for any other day and time are collapsed. Nothing is preselected.
 */
export function RescheduleTimeFields({ week, fields, pathOf, hiddenFields }: RescheduleTimeFieldsProps) {
  const { days, fullDay, earlierFrom, laterFrom, zone } = week;
  const { date, time, slot } = fields;
  const isTyped = Boolean(date.errors || time.errors || time.initialValue);

  /** Keeps the selected slot and the typed time consistent: setting one clears the other. */
  function onInput({ target, currentTarget }: FormEvent<HTMLDivElement>) {
    const { name } = target as HTMLInputElement;
    const typed = currentTarget.querySelector<HTMLInputElement>(`input[name="${time.name}"]`);
    if (name === slot.name && typed) typed.value = "";
    if (name !== time.name) return;
    for (const radio of currentTarget.querySelectorAll<HTMLInputElement>(`input[name="${slot.name}"]`))
      radio.checked = false;
  }
  return (
    <div className="grid grid-cols-1 gap-3" onInput={onInput}>
      {Object.entries(hiddenFields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <nav aria-label="Days with open times" className="day-strip">
        {days.map(({ day, dayName, weekday, date: label, count }) => (
          <a key={day} href={`#times-${day}`} className="day-strip-day">
            <strong aria-hidden="true">{weekday}</strong>
            <span aria-hidden="true">{label}</span>
            <span className="sr-only">{dayName}, </span>
            <span className="text-sm text-muted">{timeCountText(count)}</span>
          </a>
        ))}
      </nav>
      <details open={isTyped}>
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-primary underline underline-offset-4">
          Another day or time
        </summary>
        <div className="mt-2 grid grid-cols-1 gap-4">
          <div className="flex flex-wrap items-end gap-3">
            <Field field={date} label="Date">
              <input
                {...controlProps({ field: date })}
                type="date"
                className="input w-56 max-w-full"
                min={week.firstDay}
                max={week.lastDay}
                defaultValue={String(date.initialValue ?? "")}
              />
            </Field>
            <Button formMethod="get" name="show" value="times">
              Show open times
            </Button>
          </div>
          <Field field={time} label={`Time (${zone})`} hint="If you also choose an open time, that one is used.">
            <input
              {...controlProps({ field: time, hint: true })}
              type="time"
              className="input max-w-56"
              defaultValue={String(time.initialValue ?? "")}
            />
          </Field>
        </div>
      </details>
      {(fullDay || days.length === 0) && (
        <p role="status" className="notice">
          {fullDay ? `Nothing is open on ${fullDay}.` : "No times are open in the next four weeks. Enter a time above."}
        </p>
      )}
      {days.map(({ day, dayName, parts }) => (
        <fieldset key={day} id={`times-${day}`} className="move-day">
          <legend className="font-bold">
            <span className="sr-only">Open times on </span>
            {dayName} <span className="font-normal text-muted">({zone})</span>
          </legend>
          <FreeTimeRadioGroup times={parts.flatMap(({ times }) => times)} name={slot.name} chosen={slot.initialValue} />
        </fieldset>
      ))}
      <p className="actions">
        {earlierFrom && (
          <Link to={pathOf(null)} preventScrollReset replace className="button button-quiet">
            First days
          </Link>
        )}
        {laterFrom && (
          <Link to={pathOf(laterFrom)} preventScrollReset replace className="button button-quiet">
            Later days
          </Link>
        )}
      </p>
    </div>
  );
}
