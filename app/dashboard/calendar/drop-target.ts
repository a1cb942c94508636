import { formatTimeOfDay } from "../../booking/wall-time.ts";
import { HOUR_MS, MINUTE_MS } from "../../time-units.ts";
import type { CalendarDayData, CalendarGrid } from "./calendar.server.ts";
import { isVisitWithinHours, RESCHEDULE_MINUTES_OF_HOUR, startConflict } from "./start-times.ts";

const MINUTES_PER_HOUR = HOUR_MS / MINUTE_MS;
const STEP_MINUTES = MINUTES_PER_HOUR / RESCHEDULE_MINUTES_OF_HOUR.length;
const STEPS_PER_HOUR = RESCHEDULE_MINUTES_OF_HOUR.length;

/** A position in the grid: column and row, and minutes from the start of that hour. */
export type GridPosition = { column: number; row: number; minutes: number };

/**
 * Where a dragged visit is dropped, and its conflict there. The visit can be moved if there is no conflict, or if the
 * hours are closed. It can't be moved into the past, to its current start, onto another visit, or where nothing can be
 * booked.
 */
export type DropTarget = {
  day: string;
  /** Wall time in the practice's time zone: "14:30". */
  time: string;
  start: Date;
  conflict: "closed" | "past" | "unchanged" | "occupied" | "unbookable" | null;
};

type RenderedCalendar = {
  days: readonly Pick<CalendarDayData, "day" | "isBookable" | "rows">[];
  grid: CalendarGrid;
  now: Date;
};

/** Returns where a dragged visit would be dropped; null if the day has no such hour. */
export function findDropTarget(
  { days, grid, now }: RenderedCalendar,
  visitToMove: { id: number; duration: number },
  { column, row, minutes }: GridPosition,
): DropTarget | null {
  const [day, cell, hour] = [days[column], grid.columns[column]?.[row], grid.rows[row]];
  if (!day || !cell || !hour) return null;
  const start = new Date(Date.parse(cell.start) + minutes * MINUTE_MS);
  const timeOfDay = hour.hour * MINUTES_PER_HOUR + minutes;
  const visits = days.flatMap(({ rows }) => rows.filter(({ isCancelled }) => !isCancelled));
  const isOpen = isVisitWithinHours(grid.hours[column] ?? null, timeOfDay, visitToMove.duration);
  const conflict =
    startConflict(start, visits, { now, visitToMove }) ??
    (hour.isRepeated || !day.isBookable ? "unbookable" : isOpen ? null : "closed");
  return { day: day.day, time: formatTimeOfDay(timeOfDay), start, conflict };
}

/**
 * Returns the position, rounded to the nearest step, of a visit whose top is `top` pixels below the top of the first
 * hour. Beyond the ends, returns the first or the last step.
 */
export function snapToGrid(
  column: number,
  top: number,
  { hours, height }: { hours: number; height: number },
): GridPosition {
  const steps = Math.round((top / height) * hours * STEPS_PER_HOUR);
  const step = Math.min(Math.max(steps, 0), hours * STEPS_PER_HOUR - 1);
  return { column, row: Math.floor(step / STEPS_PER_HOUR), minutes: (step % STEPS_PER_HOUR) * STEP_MINUTES };
}
