import type { AnyField } from "../../ui/page-form.ts";
import type { DayPickerData } from "./free-days.server.ts";

type Parts = NonNullable<DayPickerData["chosen"]>["parts"];
type FreeTimesProps = { chosen: NonNullable<DayPickerData["chosen"]>; field: AnyField; zone: string };

/** The free times of one day, by part of the day. */
export function FreeTimes({ chosen, field, zone }: FreeTimesProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="font-bold">
        {chosen.dayName} <span className="font-normal text-muted">({zone})</span>
      </legend>
      {chosen.parts.map(({ name, times }) => (
        <div key={name} className="mt-1">
          <p className="text-muted">{name}</p>
          <FreeTimeChoices times={times} name={field.name} chosen={field.initialValue} />
        </div>
      ))}
    </fieldset>
  );
}

type FreeTimeChoicesProps = { times: Parts[number]["times"]; name: string; chosen: unknown };

/** Free times as radio buttons. */
export function FreeTimeChoices({ times, name, chosen }: FreeTimeChoicesProps) {
  return (
    <div className="free-times">
      {times.map(({ value, label, accessibleName }) => (
        <label key={value} className="choice choice-time">
          <input type="radio" name={name} value={value} defaultChecked={value === chosen} aria-label={accessibleName} />
          <span>{label}</span>
        </label>
      ))}
    </div>
  );
}

/** Which day's times are shown; visible when it is not the day that was asked for, or when there is none. */
export function FreeDaysStatus({ chosen, fullDay }: Pick<DayPickerData, "chosen" | "fullDay">) {
  return (
    <p role="status" className={fullDay || !chosen ? "notice" : "sr-only"}>
      {fullDay && `Nothing is open on ${fullDay}. `}
      {fullDay && chosen && `The next open day is ${chosen.dayName}.`}
      {!fullDay &&
        chosen &&
        `${timeCountText(chosen.parts.flatMap(({ times }) => times).length)} open on ${chosen.dayName}.`}
      {!chosen && "No times are open in the next four weeks. Type another time below, or call us."}
    </p>
  );
}

export function timeCountText(count: number): string {
  return count === 1 ? "1 time" : `${count} times`;
}
