import type { DayPickerData } from "./day-picker-data.server.ts";
import type { useLocalTimeConverter } from "./use-local-time-converter.ts";

type DayParts = NonNullable<DayPickerData["chosen"]>["parts"];
type FreeTimeRadioGroupProps = {
  times: DayParts[number]["times"];
  name: string;
  chosen: unknown;
  localTime?: ReturnType<typeof useLocalTimeConverter>;
};

/** Shows free times as radio buttons. */
export function FreeTimeRadioGroup({ times, name, chosen, localTime }: FreeTimeRadioGroupProps) {
  return (
    <div className="free-times">
      {times.map(({ value, label, accessibleName }) => {
        const local = localTime?.(value);
        return (
          <label key={value} className="choice choice-time">
            <input
              type="radio"
              name={name}
              value={value}
              defaultChecked={value === chosen}
              aria-label={accessibleName + (local ? `, your time: ${local.long}` : "")}
            />
            <span>
              {label} {local && <span className="block font-normal">{local.short}</span>}
            </span>
          </label>
        );
      })}
    </div>
  );
}

/** Announces which day's times are shown. Visible if that is not the requested day, or if no day has free times. */
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
