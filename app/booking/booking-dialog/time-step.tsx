import { type FormEvent, type MouseEvent, useEffect, useEffectEvent, useRef } from "react";
import { useFetcher } from "react-router";
import { FieldError } from "../../ui/field.tsx";
import { NEW_APPOINTMENT_PATH } from "../appointment-paths.ts";
import { FreeTimesOfDay } from "../availability/free-times-of-day.tsx";
import { FreeDaysStatus, timeCountText } from "../availability/free-times.tsx";
import type { NearestTime } from "../availability/nearest-times.server.ts";
import { NearestTimeButtons } from "../availability/nearest-time-buttons.tsx";
import { TypedTimeField } from "../availability/typed-time-field.tsx";
import type { LostSlot } from "../holds/chosen-slot-status.server.ts";
import type { BookingDialogFields } from "./booking-dialog.tsx";
import type { BookingDialogData } from "./booking-dialog-data.server.ts";
import { type IncompleteStepError, TIME_STEP } from "./use-booking-steps.ts";

type TimeStepProps = {
  fields: BookingDialogFields;
  data: BookingDialogData;
  error: IncompleteStepError | null;
  /** The time of the form that was just refused, if it can't be booked. */
  refusedTime: LostSlot | null;
  /** Whether the time was lost during the payment. */
  isUncharged: boolean;
  /** Called after a press has cleared the chosen or typed time, because that triggers no change event. */
  onCleared: (event: { currentTarget: HTMLFormElement }) => void;
  /** Called when one of the nearest times has been chosen in place of a lost one. */
  onTimeChosen: () => void;
};

/**
 * Shows the next days with free times, the times of one of them, and a field for any other time. Fetches days when one
 * is pressed and when length or type change. Without scripts the day buttons reload the form with its values.
 */
export function TimeStep({ fields, data, error, refusedTime, isUncharged, onCleared, onTimeChosen }: TimeStepProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  /** Whether a press requested times. They are then scrolled into view, and the focus does not move. */
  const isLoadRequested = useRef(false);
  /** The nearest time that a press chose, until the times of its day have loaded. */
  const pendingNearestTime = useRef<string>(null);
  const fetcher = useFetcher<Pick<BookingDialogData, "freeDays">>();
  const freeDays = fetcher.data?.freeDays ?? data.freeDays;
  const { days, chosen, fullDay, earlierFrom, laterFrom } = freeDays;
  const next = findFollowingDay(freeDays);
  const { date, slot, appointmentDate, duration, type } = fields;
  const ownError = error?.step === TIME_STEP ? error : null;
  const start = ownError
    ? { ...appointmentDate, errors: ownError.isTyped ? undefined : [ownError.text] }
    : appointmentDate;
  const unavailableTime = refusedTime ?? data.unavailableTime;
  const nearestTimes = refusedTime?.nearest ?? data.nearestTimes;
  // If the form was refused because of this time, the error already shows the reason.
  const lostReason = appointmentDate.errors ? null : unavailableTime?.reason;

  function loadDays(changes: Record<string, string> = {}) {
    const form = group.current?.form;
    if (!form) return;
    const formData = new FormData(form);
    const current = [date, duration, type].map(({ name }) => [name, String(formData.get(name) ?? "")]);
    void fetcher.load(`${NEW_APPOINTMENT_PATH}?${new URLSearchParams({ ...Object.fromEntries(current), ...changes })}`);
  }
  const refuseChosenTime = useEffectEvent(() => {
    if (!group.current?.querySelector(`input[name="${slot.name}"]:checked`)) return;
    clearFields([slot.name]);
    loadDays();
  });
  // A refused time is probably taken by now, and others that overlap it.
  useEffect(() => {
    if (ownError) refuseChosenTime();
  }, [ownError]);
  useEffect(() => {
    if (appointmentDate.errors) refuseChosenTime();
  }, [appointmentDate.errors]);
  const chooseTakenTime = useEffectEvent(() => {
    const radio = group.current?.querySelector<HTMLElement>(
      `input[name="${slot.name}"][value="${pendingNearestTime.current}"]`,
    );
    pendingNearestTime.current = null;
    radio?.click();
    if (radio) onTimeChosen();
  });
  useEffect(() => {
    if (pendingNearestTime.current && fetcher.state === "idle") chooseTakenTime();
  }, [fetcher.state]);
  useEffect(() => {
    if (!isLoadRequested.current || fetcher.state !== "idle") return;
    isLoadRequested.current = false;
    group.current?.querySelector("[data-times]")?.scrollIntoView({ block: "nearest" });
  }, [fetcher.state]);
  function clearFields(names: string[]) {
    const form = group.current?.form;
    for (const input of group.current?.querySelectorAll("input") ?? []) {
      if (!names.includes(input.name)) continue;
      if (input.type === "radio") input.checked = false;
      else input.value = "";
    }
    if (form) onCleared({ currentTarget: form });
  }
  useEffect(() => {
    const form = group.current?.form;
    const onFormChange = ({ target }: Event) => {
      const { name } = target as HTMLInputElement;
      if ([duration.name, type.name].includes(name)) loadDays();
    };
    form?.addEventListener("change", onFormChange);
    return () => form?.removeEventListener("change", onFormChange);
  });
  /** Keeps slot and typed time exclusive: setting one clears the other. */
  function onInput({ target }: FormEvent<HTMLFieldSetElement>) {
    const { name, value } = target as HTMLInputElement;
    if (name === slot.name) clearFields([appointmentDate.name]);
    if (name === appointmentDate.name && value) clearFields([slot.name]);
  }
  function requestDays(event: MouseEvent, changes: Record<string, string>) {
    event.preventDefault();
    clearFields([slot.name, appointmentDate.name]);
    isLoadRequested.current = true;
    loadDays(changes);
  }
  /** Chooses a nearest time without submitting the form, whose last step is not filled in yet. */
  function chooseNearestTime(event: MouseEvent, { value, day }: NearestTime) {
    pendingNearestTime.current = value;
    requestDays(event, { date: day, from: "" });
  }
  return (
    <fieldset
      ref={group}
      id={appointmentDate.id}
      tabIndex={-1}
      onInput={onInput}
      aria-invalid={start.errors ? true : undefined}
      aria-describedby={start.errors ? appointmentDate.errorId : undefined}
      className={start.errors ? "field field-invalid time-step min-w-0" : "field time-step min-w-0"}
    >
      <legend className="sr-only">When</legend>
      <FieldError field={start} />
      {ownError?.nearest && ownError.nearest.length > 0 && (
        <div className="notice notice-warning grid gap-3">
          <p>Everything else you chose is saved. Take one of the nearest times:</p>
          <div className="nearest-times">
            <NearestTimeButtons times={ownError.nearest} onSelect={chooseNearestTime} />
          </div>
        </div>
      )}
      {unavailableTime && !ownError?.nearest && (
        <div className="notice notice-warning grid gap-3">
          <p tabIndex={-1} data-first-focus={appointmentDate.errors ? undefined : ""}>
            {unavailableTime.when} {unavailableTime.statusText}
            {isUncharged && ", and your card was not charged"}
            {lostReason ? `. ${lostReason} Everything` : "; everything"} else you chose is saved, so just pick another
            time{nearestTimes.length > 0 ? ":" : "."}
          </p>
          {nearestTimes.length > 0 && (
            <div className="nearest-times">
              <NearestTimeButtons times={nearestTimes} />
            </div>
          )}
        </div>
      )}
      <input type="hidden" name={date.name} value={chosen?.day ?? ""} />
      <div id="free-times" role="group" aria-label="Days with open times" className="day-strip day-strip-compact">
        {days.map(({ day, weekday, date: label, count }) => {
          const isFull = count === 0;
          return (
            <button
              key={day}
              name={isFull ? "wait" : "day"}
              value={day}
              className={isFull ? "day-strip-day day-strip-full" : "day-strip-day"}
              aria-pressed={isFull ? undefined : day === chosen?.day}
              onClick={isFull ? undefined : (event) => requestDays(event, { date: day, from: days[0]?.day ?? day })}
            >
              <span>
                <strong>{weekday}</strong> {label}
              </span>
              {isFull ? <FullDayLabel /> : <span className="text-muted">{timeCountText(count)}</span>}
            </button>
          );
        })}
      </div>
      <FreeDaysStatus chosen={chosen} fullDay={fullDay} />
      {chosen && <FreeTimesOfDay key={chosen.day} chosen={chosen} field={slot} zone={freeDays.zone} />}
      <p className="mt-2.5 flex flex-wrap items-center gap-x-6 gap-y-2">
        {next && (
          <button
            name={next.isShown ? "day" : "from"}
            value={next.day}
            className="button button-secondary"
            onClick={(event) =>
              requestDays(
                event,
                next.isShown ? { date: next.day, from: days[0]?.day ?? "" } : { date: "", from: next.day },
              )
            }
          >
            Next open day
          </button>
        )}
        {earlierFrom && (
          <button
            className="text-summary"
            name="from"
            value=""
            onClick={(event) => requestDays(event, { date: "", from: "" })}
          >
            First days
          </button>
        )}
        {laterFrom && (
          <button
            className="text-summary"
            name="from"
            value={laterFrom}
            onClick={(event) => requestDays(event, { date: "", from: laterFrom })}
          >
            Later days
          </button>
        )}
      </p>
      <TypedTimeField
        field={appointmentDate}
        inputId={`${appointmentDate.id}-typed`}
        freeDays={freeDays}
        error={ownError?.isTyped ? ownError.text : null}
      />
      <p>
        Is the day you need full?{" "}
        <button name="wait" value={freeDays.fullDayDate ?? ""} className="text-summary">
          Ask us to tell you when a time opens
        </button>
      </p>
    </fieldset>
  );
}

/** Shown instead of the number of times. The button submits the form, which is saved, and leads to the waiting list. */
function FullDayLabel() {
  return (
    <span>
      Full<span className="sr-only">, ask us to tell you when a time opens</span>
    </span>
  );
}

/** Returns the free day after the chosen one, or the day from which to load more to find it; null at the end. */
function findFollowingDay({ days, chosen, laterFrom }: BookingDialogData["freeDays"]) {
  const following = chosen && days.find(({ day, count }) => day > chosen.day && count > 0);
  if (following) return { day: following.day, isShown: true };
  return laterFrom ? { day: laterFrom, isShown: false } : null;
}
