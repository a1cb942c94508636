import { Link } from "react-router";
import { parseTime } from "../../booking/wall-time.ts";
import { formatClockTime } from "../../practice/office-hours.ts";
import { PlusIcon } from "../../ui/icons.tsx";
import { adminNewAppointmentPath, adminConfirmMovePath } from "./calendar-paths.ts";
import type { CalendarOrigin } from "./calendar-query.ts";
import type { CalendarDayData, VisitToMove } from "./calendar.server.ts";

type TimeSlotProps = {
  /** Of the practice's clock: "14:30". */
  time: string;
  day: CalendarDayData;
  row: number;
  origin: CalendarOrigin;
  visitToMove: VisitToMove | null;
  isFirst: boolean;
  isHydrated: boolean;
};

/** Shows a free time as a link: half an hour for a new appointment, or the whole hour for the visit that is moved. */
export function CalendarSlotLink({ time, day, row, origin, visitToMove, isFirst, isHydrated }: TimeSlotProps) {
  const minutes = time.slice(-2);
  const isSecondHalf = minutes === "30";
  const position = visitToMove
    ? `is-move ${isSecondHalf ? "is-late" : ""}`
    : `is-half ${isSecondHalf ? "at-6" : "at-0"}`;
  const label = formatClockTime(parseTime(time) ?? 0);
  return (
    <Link
      to={
        visitToMove
          ? adminConfirmMovePath(visitToMove.id, day.day, time, origin)
          : adminNewAppointmentPath({ ...origin, day: day.day }, time)
      }
      preventScrollReset={visitToMove !== null}
      className={`time-slot ${position} ${isFirst ? "is-first-slot" : ""}`}
      aria-label={`${visitToMove ? `Move ${visitToMove.name} here` : "New appointment"}: ${day.name}, ${label}`}
      data-slot={`${row} ${minutes}`}
      tabIndex={!isHydrated || isFirst ? undefined : -1}
    >
      <PlusIcon className="size-4" /> {label}
    </Link>
  );
}

/**
 * Returns the next free time in a direction: the next one of the day, or on the next day that has a free one in the
 * same hour, at the same minute if possible.
 */
export function findAdjacentSlotElement(slot: HTMLElement, [right, down]: [number, number]): HTMLElement | null {
  let column = slot.closest(".time-day");
  if (down !== 0) {
    const slots = [...(column?.querySelectorAll<HTMLElement>("[data-slot]") ?? [])];
    return slots[slots.indexOf(slot) + down] ?? null;
  }
  const slotPosition = slot.dataset.slot ?? "";
  const inHour = `[data-slot^="${slotPosition.split(" ")[0]} "]`;
  while ((column = (right > 0 ? column?.nextElementSibling : column?.previousElementSibling) ?? null)) {
    const next =
      column.querySelector<HTMLElement>(`[data-slot="${slotPosition}"]`) ?? column.querySelector<HTMLElement>(inHour);
    if (next) return next;
  }
  return null;
}
