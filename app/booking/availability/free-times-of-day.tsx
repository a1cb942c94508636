import type { AnyField } from "../../ui/use-server-validated-form.ts";
import type { DayPickerData } from "./day-picker-data.server.ts";
import { FreeTimeRadioGroup } from "./free-times.tsx";
import { useLocalTimeConverter } from "./use-local-time-converter.ts";

type FreeTimesOfDayProps = { chosen: NonNullable<DayPickerData["chosen"]>; field: AnyField; zone: string };

/** Shows the free times of one day by part of the day, each with the visitor's local time if that differs. */
export function FreeTimesOfDay({ chosen, field, zone }: FreeTimesOfDayProps) {
  const localTime = useLocalTimeConverter();
  return (
    <fieldset className="min-w-0 scroll-my-2" data-times>
      <legend className="font-bold">
        {chosen.dayName}{" "}
        <span className="font-normal text-muted">
          ({zone}
          {localTime && ", your own time below it"})
        </span>
      </legend>
      {chosen.parts.map(({ name, times }) => (
        <div key={name} className="mt-1">
          <p className="text-muted">{name}</p>
          <FreeTimeRadioGroup times={times} name={field.name} chosen={field.initialValue} localTime={localTime} />
        </div>
      ))}
    </fieldset>
  );
}
