import { type FormEvent, useEffect, useState } from "react";
import { useSite } from "../../practice/site.ts";
import { formatShortDateTime } from "../../ui/format-date-time.ts";
import type { AnyField } from "../../ui/use-server-validated-form.ts";
import type { DayPickerData } from "../availability/day-picker-data.server.ts";
import type { LateMoveWarning } from "./late-move.server.ts";

type TimeFields = Record<"slot" | "appointmentDate", AnyField>;
type ChosenTimeOptions = { freeDays: DayPickerData | null; late: LateMoveWarning; timeZone: string };

/**
 * Returns the time chosen in the form `formId` in words and whether it starts so soon that moving there has a cost, and
 * the handler that reads it. The first is null if no shown time is chosen. Also detects a time that was chosen before
 * hydration.
 */
export function useChosenTime(
  formId: string,
  { slot, appointmentDate }: TimeFields,
  { freeDays, late, timeZone }: ChosenTimeOptions,
): [{ when: string; isLate: boolean } | null, (event: FormEvent<HTMLFormElement>) => void] {
  const [values, setValues] = useState<Record<string, unknown>>({});
  const readForm = (form: HTMLFormElement) => setValues(Object.fromEntries(new FormData(form)));
  useEffect(() => {
    const form = document.getElementById(formId);
    if (form instanceof HTMLFormElement) readForm(form);
  }, [formId]);
  const readChosenTime = ({ currentTarget }: FormEvent<HTMLFormElement>) => readForm(currentTarget);
  const { [slot.name]: start, [appointmentDate.name]: typed } = values;
  const times = freeDays?.chosen?.parts.flatMap((part) => part.times) ?? [];
  const chosen = times.find(({ value }) => value === start);
  if (chosen)
    return [{ when: formatShortDateTime(chosen.value, timeZone), isLate: chosen.value < late.before }, readChosenTime];
  if (!typed) return [null, readChosenTime];
  // A typed time is wall time in the practice's time zone.
  const wallTime = String(typed);
  return [
    { when: formatShortDateTime(`${wallTime}Z`, "UTC"), isLate: wallTime < late.deadlineWallTime },
    readChosenTime,
  ];
}

/** Shows a visit's current time and the time chosen for it side by side. */
export function MoveTimeComparison({ start, chosen }: { start: string; chosen: string | null }) {
  const { timeZone } = useSite().practice;
  return (
    <dl className="both-times">
      <div>
        <dt>Now</dt>
        <dd>{formatShortDateTime(start, timeZone)}</dd>
      </div>
      <div className="scripted both-times-new" aria-live="polite">
        <dt>New</dt>
        <dd>{chosen ?? "Pick a time above"}</dd>
      </div>
    </dl>
  );
}
