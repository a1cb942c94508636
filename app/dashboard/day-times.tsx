import { type ChangeEvent, type MouseEvent, useRef } from "react";
import { useFetcher, useLocation } from "react-router";
import { Button } from "../ui/button.tsx";
import { controlProps, Field, FieldError } from "../ui/field.tsx";
import type { AnyField } from "../ui/page-form.ts";
import type { DayTimes } from "./day-times.server.ts";

type DayTimesProps = { date: AnyField; time: AnyField; offer: DayTimes; carried: Record<string, string> };

/**
 * A day, its free times to choose from, and a time to type beside them. The times follow the day; without a script a
 * button brings them, and the address carries what was filled in.
 */
export function DayTimesFields({ date, time, offer: first, carried }: DayTimesProps) {
  const { pathname } = useLocation();
  const fetcher = useFetcher<{ offer: DayTimes }>();
  const day = useRef<HTMLInputElement>(null);
  const typed = useRef<HTMLInputElement>(null);
  const offer = fetcher.data?.offer ?? first;

  function showTimes() {
    if (!day.current?.value) return;
    const query = new URLSearchParams({ date: day.current.value });
    const length = day.current.form?.elements.namedItem("duration");
    if (length instanceof HTMLInputElement) query.set("duration", length.value);
    void fetcher.load(`${pathname}?${query}`);
  }
  function onShow(event: MouseEvent) {
    event.preventDefault();
    showTimes();
  }
  /** The two ways to say a time never disagree: choosing one clears the other. */
  function onTyped({ target }: ChangeEvent<HTMLInputElement>) {
    const none = target.form?.querySelector<HTMLInputElement>('input[name="slot"][value=""]');
    if (none) none.checked = true;
  }
  function onChosen({ target }: ChangeEvent<HTMLInputElement>) {
    if (target.value && typed.current) typed.current.value = "";
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      {Object.entries(carried).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="flex flex-wrap items-end gap-3">
        <Field field={date} label="Date">
          <input
            key={date.key}
            ref={day}
            {...controlProps({ field: date })}
            type="date"
            className="input w-56 max-w-full"
            min={offer.firstDay}
            max={offer.lastDay}
            defaultValue={String(date.initialValue ?? first.day)}
            onChange={showTimes}
          />
        </Field>
        <Button formMethod="get" onClick={onShow}>
          Show free times
        </Button>
      </div>
      <fieldset className="min-w-0">
        <legend className="label">Free times on {offer.dayName}</legend>
        <p role="status" className="hint mt-1">
          {offer.times.length === 0
            ? "Nothing is free within office hours that day."
            : `${offer.times.length} free ${offer.times.length === 1 ? "time" : "times"}, ${offer.zone}.`}
        </p>
        <div className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(100%,8.25rem),1fr))] gap-2">
          {offer.times.map(({ value, label, name }) => (
            <label key={offer.day + value} className="choice choice-short">
              <input type="radio" name="slot" value={value} aria-label={name} onChange={onChosen} />
              <span>{label}</span>
            </label>
          ))}
          <label className="choice choice-short col-span-full whitespace-normal">
            <input type="radio" name="slot" value="" defaultChecked onChange={onChosen} />
            <span>Another time, as typed below</span>
          </label>
        </div>
      </fieldset>
      <div className={time.errors ? "field field-invalid" : "field"}>
        <label className="label" htmlFor={time.id}>
          Time ({offer.zone})
        </label>
        <FieldError field={time} />
        <input
          key={time.key}
          ref={typed}
          {...controlProps({ field: time })}
          type="time"
          className="input max-w-56"
          defaultValue={String(time.initialValue ?? "")}
          onChange={onTyped}
        />
      </div>
    </div>
  );
}
