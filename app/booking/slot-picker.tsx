import { type FormEvent, type MouseEvent, useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import { Button } from "../ui/button.tsx";
import { controlProps, FieldError, Hint } from "../ui/field.tsx";
import type { AnyField } from "../ui/page-form.ts";
import { NEW_APPOINTMENT_PATH } from "./paths.ts";
import type { ScheduleDialogData } from "./schedule-data.server.ts";

type SlotFieldName = "date" | "slot" | "appointmentDate" | "duration" | "type";
type SlotPickerProps = { fields: Record<SlotFieldName, AnyField>; data: ScheduleDialogData };

/**
 * A day with its free slots, and a field to type a date and time. Slots are fetched when day, duration or type change;
 * without scripts a button reloads the form with its values.
 */
export function SlotPicker({ fields, data }: SlotPickerProps) {
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const fetcher = useFetcher<{ daySlots: ScheduleDialogData["daySlots"] }>();
  const daySlots = fetcher.data?.daySlots ?? data.daySlots;
  const { date, slot, appointmentDate, duration, type } = fields;

  function loadTimes() {
    const form = fieldset.current?.form;
    if (!form) return;
    const formData = new FormData(form);
    const query = new URLSearchParams(
      [date, duration, type].map(({ name }) => [name, String(formData.get(name) ?? "")]),
    );
    void fetcher.load(`${NEW_APPOINTMENT_PATH}?${query}`);
  }
  /** Clears a slot chosen on another day. */
  function clearTypedTime(form: HTMLFormElement | null | undefined) {
    const timeInput = form?.elements.namedItem(appointmentDate.name);
    if (timeInput instanceof HTMLInputElement) timeInput.value = "";
  }
  useEffect(() => {
    const form = fieldset.current?.form;
    const onFormChange = (event: Event) => {
      const { name } = event.target as HTMLInputElement;
      if (name === date.name) clearTypedTime(form);
      if ([date.name, duration.name, type.name].includes(name)) loadTimes();
    };
    form?.addEventListener("change", onFormChange);
    return () => form?.removeEventListener("change", onFormChange);
  });
  /** Keeps slot and typed time consistent: choosing a slot writes the field, typing clears the slot. */
  function onInput(event: FormEvent<HTMLFieldSetElement>) {
    const { name, value, form } = event.target as HTMLInputElement;
    const timeInput = form?.elements.namedItem(appointmentDate.name);
    if (name === slot.name && timeInput instanceof HTMLInputElement) {
      timeInput.value = daySlots.times.find((time) => time.value === value)?.wallTime ?? "";
    }
    if (name === appointmentDate.name) {
      const noSlotOption = form?.querySelector<HTMLInputElement>(`input[name="${slot.name}"][value=""]`);
      if (noSlotOption) noSlotOption.checked = true;
    }
  }
  function onShow(event: MouseEvent) {
    event.preventDefault();
    loadTimes();
  }

  const hint = `Pick a free time above, or type a day and time here. All times are ${data.zone}.`;
  const control = controlProps({ field: appointmentDate, hint });
  const initialTime = String(appointmentDate.initialValue ?? "");
  const initialSlot = String(slot.initialValue ?? "");
  return (
    <fieldset ref={fieldset} onInput={onInput} className={appointmentDate.errors ? "field field-invalid" : "field"}>
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
      <FreeSlots
        key={daySlots.day + daySlots.times.length}
        daySlots={daySlots}
        zone={data.zone}
        name={slot.name}
        chosen={initialSlot}
        hasTyped={initialTime !== ""}
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
          defaultValue={initialTime}
        />
      </div>
    </fieldset>
  );
}

type FreeSlotsProps = {
  daySlots: ScheduleDialogData["daySlots"];
  zone: string;
  name: string;
  chosen: string;
  hasTyped: boolean;
};

function FreeSlots({ daySlots, zone, name, chosen, hasTyped }: FreeSlotsProps) {
  const isOffered = daySlots.times.some(({ value }) => value === chosen);
  return (
    <fieldset id="free-times" className="mt-4 min-w-0">
      <legend className="label">Free times on {daySlots.dayName}</legend>
      <p role="status" className="hint mt-1">
        {freeSlotsSummary(daySlots, zone)}
      </p>
      {daySlots.times.length > 0 && (
        <div className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(100%,8.25rem),1fr))] gap-2">
          {daySlots.times.map(({ value, label, accessibleName: fullName }) => (
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

function freeSlotsSummary({ times, nextDay }: ScheduleDialogData["daySlots"], zone: string): string {
  if (times.length > 0) return `${times.length === 1 ? "1 time is" : `${times.length} times are`} free, in ${zone}.`;
  return nextDay
    ? `Nothing is free that day. The next day with free times is ${nextDay.dayName}.`
    : "Nothing is free that day. Please choose another.";
}
