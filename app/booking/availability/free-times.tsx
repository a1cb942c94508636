import { useSite } from "../../practice/site.ts";
import { formatLongDateTime, formatShortDate, formatTime } from "../../ui/dates.ts";
import type { AnyField } from "../../ui/page-form.ts";
import { useLocalZone } from "../../ui/zoned-time.tsx";
import type { DayPickerData } from "./free-days.server.ts";

type Parts = NonNullable<DayPickerData["chosen"]>["parts"];
type FreeTimesProps = { chosen: NonNullable<DayPickerData["chosen"]>; field: AnyField; zone: string };

/** The free times of one day, by part of the day; each with the visitor's own time where that differs. */
export function FreeTimes({ chosen, field, zone }: FreeTimesProps) {
  const { timeZone } = useSite().practice;
  const localZone = useLocalZone(timeZone);
  const parts = chosen.parts.map(({ name, times }) => ({
    name,
    times: times.map((time) => ({ ...time, ...localTime(time.value, timeZone, localZone) })),
  }));
  const hasLocalTimes = parts.some(({ times }) => times.some(({ local }) => local));
  return (
    <fieldset className="min-w-0" data-times>
      <legend className="font-bold">
        {chosen.dayName}{" "}
        <span className="font-normal text-muted">({hasLocalTimes ? `${zone}, your own time below it` : zone})</span>
      </legend>
      {parts.map(({ name, times }) => (
        <div key={name} className="mt-1">
          <p className="text-muted">{name}</p>
          <FreeTimeChoices times={times} name={field.name} chosen={field.initialValue} />
        </div>
      ))}
    </fieldset>
  );
}

/** A time in the visitor's zone, short and in full; nothing where the practice's clocks show the same. */
function localTime(instant: string, zone: string, localZone: string) {
  const isSameDay = formatShortDate(instant, zone) === formatShortDate(instant, localZone);
  const time = formatTime(instant, localZone);
  if (isSameDay && time === formatTime(instant, zone)) return {};
  const weekday = formatShortDate(instant, localZone).slice(0, 3);
  return {
    local: isSameDay ? time : `${weekday} ${time}`,
    accessibleLocal: formatLongDateTime(instant, localZone),
  };
}

type FreeTime = Parts[number]["times"][number] & { local?: string; accessibleLocal?: string };
type FreeTimeChoicesProps = { times: FreeTime[]; name: string; chosen: unknown };

/** Free times as radio buttons. */
export function FreeTimeChoices({ times, name, chosen }: FreeTimeChoicesProps) {
  return (
    <div className="free-times">
      {times.map(({ value, label, accessibleName, local, accessibleLocal }) => (
        <label key={value} className="choice choice-time">
          <input
            type="radio"
            name={name}
            value={value}
            defaultChecked={value === chosen}
            aria-label={accessibleLocal ? `${accessibleName}, your time: ${accessibleLocal}` : accessibleName}
          />
          <span>
            {label} {local && <span className="block font-normal">{local}</span>}
          </span>
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
