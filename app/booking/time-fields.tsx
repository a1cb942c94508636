import { type FormEvent, type MouseEvent, useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import { Button } from "../ui/button.tsx";
import { controlProps, FieldError, Hint } from "../ui/field.tsx";
import type { AnyField } from "../ui/page-form.ts";
import { NEW } from "./addresses.ts";
import type { ScheduleData } from "./schedule.server.ts";

type Names = "date" | "slot" | "appointmentDate" | "duration" | "type";
type TimeFieldsProps = { fields: Record<Names, AnyField>; data: ScheduleData };

/**
 * A day, its free times to choose from, and beside them a date-time to type. The times are fetched when day, length
 * or type change; without a script a button brings them, and whatever was typed comes back with them.
 */
export function TimeFields({ fields, data }: TimeFieldsProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  const fetcher = useFetcher<{ offer: ScheduleData["offer"] }>();
  const offer = fetcher.data?.offer ?? data.offer;
  const { date, slot, appointmentDate, duration, type } = fields;

  function showTimes() {
    const form = group.current?.form;
    if (!form) return;
    const chosen = new FormData(form);
    const query = new URLSearchParams([date, duration, type].map(({ name }) => [name, String(chosen.get(name) ?? "")]));
    void fetcher.load(`${NEW}?${query}`);
  }
  /** A time of the day before must not be booked by mistake. */
  function forgetTime(form: HTMLFormElement | null | undefined) {
    const typed = form?.elements.namedItem(appointmentDate.name);
    if (typed instanceof HTMLInputElement) typed.value = "";
  }
  useEffect(() => {
    const form = group.current?.form;
    const asked = (event: Event) => {
      const { name } = event.target as HTMLInputElement;
      if (name === date.name) forgetTime(form);
      if ([date.name, duration.name, type.name].includes(name)) showTimes();
    };
    form?.addEventListener("change", asked);
    return () => form?.removeEventListener("change", asked);
  });
  /** The two ways to say a time never disagree: choosing one writes it, writing one unchooses. */
  function onInput(event: FormEvent<HTMLFieldSetElement>) {
    const { name, value, form } = event.target as HTMLInputElement;
    const typed = form?.elements.namedItem(appointmentDate.name);
    if (name === slot.name && typed instanceof HTMLInputElement) {
      typed.value = offer.times.find((time) => time.value === value)?.wall ?? "";
    }
    if (name === appointmentDate.name) {
      const none = form?.querySelector<HTMLInputElement>(`input[name="${slot.name}"][value=""]`);
      if (none) none.checked = true;
    }
  }
  function onShow(event: MouseEvent) {
    event.preventDefault();
    showTimes();
  }

  const hint = `Pick a free time above, or type a day and time here. All times are ${data.zone}.`;
  const control = controlProps({ field: appointmentDate, hint });
  const typedAtFirst = String(appointmentDate.initialValue ?? "");
  const chosenAtFirst = String(slot.initialValue ?? "");
  return (
    <fieldset ref={group} onInput={onInput} className={appointmentDate.errors ? "field field-invalid" : "field"}>
      <legend className="sr-only">When</legend>
      <div className="flex flex-wrap items-end gap-3">
        <div className="field">
          <label className="label" htmlFor={date.id}>
            Day
          </label>
          <input
            key={date.key}
            id={date.id}
            name={date.name}
            type="date"
            className="input"
            min={data.firstDay}
            max={data.lastDay}
            defaultValue={String(date.initialValue ?? "")}
          />
        </div>
        <Button name="intent" value="times" onClick={onShow}>
          Show free times
        </Button>
      </div>
      <FreeTimes
        key={offer.day + offer.times.length}
        offer={offer}
        zone={data.zone}
        name={slot.name}
        chosen={chosenAtFirst}
        hasTyped={typedAtFirst !== ""}
      />
      <div className="field mt-4">
        <label className="label" htmlFor={control.id}>
          Date & Time
        </label>
        <Hint field={appointmentDate}>{hint}</Hint>
        <FieldError field={appointmentDate} />
        <input
          key={appointmentDate.key}
          {...control}
          type="datetime-local"
          className="input max-w-80"
          min={`${data.firstDay}T00:00`}
          max={`${data.lastDay}T23:59`}
          defaultValue={typedAtFirst}
        />
      </div>
    </fieldset>
  );
}

type FreeTimesProps = { offer: ScheduleData["offer"]; zone: string; name: string; chosen: string; hasTyped: boolean };

function FreeTimes({ offer, zone, name, chosen, hasTyped }: FreeTimesProps) {
  const isOffered = offer.times.some(({ value }) => value === chosen);
  return (
    <fieldset id="free-times" className="mt-4 min-w-0">
      <legend className="label">Free times on {offer.dayName}</legend>
      <p role="status" className="hint mt-1">
        {summary(offer, zone)}
      </p>
      {offer.times.length > 0 && (
        <div className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(100%,8.25rem),1fr))] gap-2">
          {offer.times.map(({ value, label, name: fullName }) => (
            <label key={value} className="choice choice-short">
              <input type="radio" name={name} value={value} defaultChecked={value === chosen} aria-label={fullName} />
              <span>{label}</span>
            </label>
          ))}
          <label className="choice choice-short col-span-full whitespace-normal">
            <input type="radio" name={name} value="" defaultChecked={!isOffered && hasTyped} />
            <span>Another time, as typed below</span>
          </label>
        </div>
      )}
    </fieldset>
  );
}

function summary({ times, next }: ScheduleData["offer"], zone: string): string {
  if (times.length > 0) return `${times.length === 1 ? "1 time is" : `${times.length} times are`} free, in ${zone}.`;
  return next
    ? `Nothing is free that day. The next day with free times is ${next.dayName}.`
    : "Nothing is free that day. Please choose another.";
}
