import { type ChangeEvent, type MouseEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useFetcher, useLocation } from "react-router";
import { timeCountText } from "../../booking/availability/free-times.tsx";
import { SHORT_VISIT_KIND_LABELS, visitKind } from "../../booking/visit-kind.ts";
import { Button } from "../../ui/button.tsx";
import { controlProps, Field, FieldError } from "../../ui/field.tsx";
import type { AnyField } from "../../ui/use-server-validated-form.ts";
import { FORM_RESTORED_EVENT } from "../../ui/form-autosave/form-restored-event.ts";
import type { FreeSlots } from "./free-slots.server.ts";

type FreeSlotFieldsProps = {
  date: AnyField;
  slot: AnyField;
  time: AnyField;
  freeSlots: FreeSlots;
  hiddenFields: Record<string, string>;
  /** Called with the selected day and time as readable text: "Tue, Nov 24, 6:30 PM". */
  onChosen: (text: string) => void;
};

/**
 * Shows the next days with free times, a date field, the free times of the chosen day, and a field for another time.
 * Without JavaScript the buttons load the times of another day, and the query string keeps the other fields.
 */
export function FreeSlotFields({
  date,
  slot,
  time,
  freeSlots: initialSlots,
  hiddenFields,
  onChosen,
}: FreeSlotFieldsProps) {
  const { pathname, search } = useLocation();
  const fetcher = useFetcher<{ freeSlots: FreeSlots }>();
  const dateInput = useRef<HTMLInputElement>(null);
  const timeInput = useRef<HTMLInputElement>(null);
  const freeSlots = fetcher.data?.freeSlots ?? initialSlots;
  const initialTime = String(time.initialValue ?? "");
  const preselectedSlot = fetcher.data?.freeSlots.chosenSlot ?? (initialTime || String(slot.initialValue ?? ""));
  const initialSlot = freeSlots.slots.find(({ value }) => value === preselectedSlot)?.value ?? "";
  const typedTime = initialSlot === "" ? initialTime : "";
  const [shownTime] = useState(typedTime);

  function loadSlots(previousSlot?: string) {
    if (!dateInput.current?.value) return;
    const query = new URLSearchParams({ date: dateInput.current.value });
    const { elements } = dateInput.current.form ?? {};
    const chosen = elements?.namedItem("slot");
    if (timeInput.current?.value) query.set("time", timeInput.current.value);
    else if (previousSlot) query.set("slot", previousSlot);
    else if (chosen instanceof RadioNodeList && chosen.value) query.set("slot", chosen.value);
    const durationInput = elements?.namedItem("duration");
    if (durationInput instanceof HTMLInputElement) query.set("duration", durationInput.value);
    void fetcher.load(`${pathname}?${query}`);
  }
  function notifySelection() {
    const { elements } = dateInput.current?.form ?? {};
    const chosen = elements?.namedItem("slot");
    const slot = chosen instanceof RadioNodeList ? chosen.value : "";
    const label = freeSlots.slots.find(({ value }) => value === slot)?.label ?? shortTime(timeInput.current?.value);
    onChosen(label ? `${freeSlots.shortDayName}, ${label}, ${describeChosenKind(elements)}` : "No time is chosen yet");
  }
  const notifyOfNewSlots = useEffectEvent(notifySelection);
  useEffect(() => notifyOfNewSlots(), [freeSlots]);
  const loadSlotsOfEarlyDate = useEffectEvent(() => {
    if (dateInput.current?.value !== initialSlots.day) loadSlots();
  });
  const onFormChange = useEffectEvent(({ target }: Event) => {
    const { name } = target as HTMLInputElement;
    if (name === "duration") loadSlots();
    if (VISIT_KIND_FIELDS.includes(name)) notifySelection();
  });
  const restore = useEffectEvent((event: Event) => {
    const restoredFields = new Map((event as CustomEvent<[name: string, value: string][]>).detail);
    const day = restoredFields.get("date");
    // A time in the address, just chosen in the calendar, is newer than the restored one.
    if (!day || !dateInput.current || !timeInput.current || new URLSearchParams(search).has("date")) return;
    timeInput.current.value = restoredFields.get("time") ?? "";
    const wanted = restoredFields.get("slot") ?? "";
    const option = dateInput.current.form?.querySelector<HTMLInputElement>(
      `input[name="slot"][value="${CSS.escape(wanted)}"]`,
    );
    if (option) option.checked = true;
    if (day === dateInput.current.value) return notifySelection();
    dateInput.current.value = day;
    loadSlots(wanted);
  });
  useEffect(() => {
    // React did not receive the change event of a date that was chosen before hydration.
    loadSlotsOfEarlyDate();
    const onChange = (event: Event) => onFormChange(event);
    const form = dateInput.current?.form;
    const abortController = new AbortController();
    form?.addEventListener("change", onChange, abortController);
    form?.addEventListener(FORM_RESTORED_EVENT, (event) => restore(event), abortController);
    return () => abortController.abort();
  }, []);
  function onShowClick(event: MouseEvent) {
    event.preventDefault();
    loadSlots();
  }
  function onDayClick(event: MouseEvent<HTMLButtonElement>) {
    event.preventDefault();
    if (dateInput.current) dateInput.current.value = event.currentTarget.value;
    loadSlots();
  }
  /** Keeps the selected slot and the typed time consistent: setting one clears the other. */
  function onTimeTyped({ target }: ChangeEvent<HTMLInputElement>) {
    const noSlotOption = target.form?.querySelector<HTMLInputElement>('input[name="slot"][value=""]');
    if (noSlotOption) noSlotOption.checked = true;
  }
  function onSlotChosen({ target }: ChangeEvent<HTMLInputElement>) {
    if (target.value && timeInput.current) timeInput.current.value = "";
  }
  return (
    <div className="grid grid-cols-1 gap-5" data-skip-restore onChange={notifySelection}>
      {Object.entries(hiddenFields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div role="group" aria-label="Days with open times" className="day-strip day-strip-compact">
        {freeSlots.days.map(({ day, dayName, weekday, date: shortDate, count }) => (
          <button
            key={day}
            formMethod="get"
            name="freeDay"
            value={day}
            className="day-strip-day"
            aria-current={day === freeSlots.day ? "date" : undefined}
            onClick={onDayClick}
          >
            <span aria-hidden="true">
              <strong>{weekday}</strong> {shortDate}
            </span>
            <span className="sr-only">{dayName}, </span>
            <span className="text-muted">{timeCountText(count)}</span>
          </button>
        ))}
      </div>
      <div className="flex flex-wrap items-end gap-3">
        <Field field={date} label="Date">
          <input
            key={date.key}
            ref={dateInput}
            {...controlProps({ field: date })}
            type="date"
            className="input w-56 max-w-full"
            min={freeSlots.firstDay}
            max={freeSlots.lastDay}
            defaultValue={String(date.initialValue ?? initialSlots.day)}
            onChange={() => loadSlots()}
          />
        </Field>
        <Button formMethod="get" onClick={onShowClick}>
          Show open times
        </Button>
      </div>
      <fieldset className="min-w-0">
        <legend className="label">Open times on {freeSlots.dayName}</legend>
        <p role="status" className="hint mt-1">
          {freeSlots.slots.length === 0
            ? "Nothing is free within office hours that day."
            : `${freeSlots.slots.length} free ${freeSlots.slots.length === 1 ? "time" : "times"}, ${freeSlots.zone}.`}
        </p>
        {freeSlots.replaced && <p className="notice mt-2">{freeSlots.replaced}</p>}
        <div className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(100%,8.25rem),1fr))] gap-2">
          {freeSlots.slots.map(({ value, label, name }) => (
            <label key={freeSlots.day + value} className="choice choice-short">
              <input
                type="radio"
                name="slot"
                value={value}
                aria-label={name}
                defaultChecked={value === initialSlot}
                onChange={onSlotChosen}
              />
              <span>{label}</span>
            </label>
          ))}
          <label key={`${freeSlots.day} other`} className="choice choice-short col-span-full whitespace-normal">
            <input
              type="radio"
              name="slot"
              value=""
              defaultChecked={(fetcher.data?.freeSlots.typedTime ?? typedTime) !== ""}
              onChange={onSlotChosen}
            />
            <span>Enter a different time</span>
          </label>
        </div>
      </fieldset>
      <div className={time.errors ? "field field-invalid" : "field"}>
        <label className="label" htmlFor={time.id}>
          Time ({freeSlots.zone})
        </label>
        <FieldError field={time} />
        <input
          key={time.key}
          ref={timeInput}
          {...controlProps({ field: time })}
          type="time"
          className="input max-w-56"
          defaultValue={typedTime}
          onChange={onTimeTyped}
        />
        <input type="hidden" name="shownTime" value={shownTime} />
      </div>
    </div>
  );
}

/** Names of the fields that decide how the visit takes place. */
const VISIT_KIND_FIELDS = ["isLiveVideoCall", "meetingLink"];

/** Returns how the visit takes place, as chosen in the form: "by video". */
function describeChosenKind(elements: HTMLFormControlsCollection | undefined): string {
  const [video, link] = VISIT_KIND_FIELDS.map((name) => elements?.namedItem(name));
  const kind = visitKind({
    isLiveVideoCall: video instanceof HTMLInputElement && video.checked,
    meetingLink: link instanceof HTMLInputElement ? link.value || null : null,
  });
  return SHORT_VISIT_KIND_LABELS[kind].toLowerCase();
}

/** Formats "14:10" as "2:10 PM". Empty without a time. */
function shortTime(time: string | undefined): string {
  if (!time) return "";
  return new Date(`2000-01-01T${time}`).toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit" });
}
