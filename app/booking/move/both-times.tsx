import { type FormEvent, useEffect, useState } from "react";
import { useSite } from "../../practice/site.ts";
import { formatShortDateTime } from "../../ui/dates.ts";
import type { AnyField } from "../../ui/page-form.ts";
import type { FreeDays } from "../availability/free-days.server.ts";

type TimeFields = Record<"slot" | "appointmentDate", AnyField>;

/**
 * The time that is chosen in the form `formId`, in words, and what reads it; null while none of the times shown is. Also
 * one that was chosen before hydration.
 */
export function useChosenTime(
  formId: string,
  { slot, appointmentDate }: TimeFields,
  freeDays: FreeDays | null,
  timeZone: string,
): [string | null, (event: FormEvent<HTMLFormElement>) => void] {
  const [values, setValues] = useState({
    slot: String(slot.initialValue ?? ""),
    typed: String(appointmentDate.initialValue ?? ""),
  });
  function readForm(element: HTMLFormElement) {
    const form = new FormData(element);
    setValues({ slot: String(form.get(slot.name) ?? ""), typed: String(form.get(appointmentDate.name) ?? "") });
  }
  const read = ({ currentTarget }: FormEvent<HTMLFormElement>) => readForm(currentTarget);
  useEffect(() => {
    const form = document.getElementById(formId);
    if (form instanceof HTMLFormElement) readForm(form);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [formId]);
  const times = freeDays?.chosen?.parts.flatMap((part) => part.times) ?? [];
  if (times.some(({ value }) => value === values.slot)) return [formatShortDateTime(values.slot, timeZone), read];
  // A typed time is wall time of the practice.
  const typed = Date.parse(`${values.typed}Z`);
  return [Number.isNaN(typed) ? null : formatShortDateTime(new Date(typed), "UTC"), read];
}

/** The present time of a visit and the one chosen for it, side by side. */
export function BothTimes({ start, chosen }: { start: string; chosen: string | null }) {
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
