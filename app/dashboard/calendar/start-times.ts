import type { DayHours } from "../../booking/rules.ts";
import { MINUTE_MS } from "../../duration.ts";

export const HALF_HOUR_MINUTES = 30;
/** Where a visit that is moved may start within an hour, in minutes: the usual starts first. */
export const RESCHEDULE_MINUTES_OF_HOUR = [0, HALF_HOUR_MINUTES, 15, 45];

type Visit = { id: number; start: string; end: string };
/** `moved` is the visit for which a start is looked for, with its length in minutes; without one, a new visit. */
type StartOptions = { now: Date; moved?: { id: number; duration: number } | null };

/** Why no visit can start at an instant, of `visits` that are not canceled; null when one can. */
export function startRefusal(
  from: Date,
  visits: readonly Visit[],
  { now, moved }: StartOptions,
): "past" | "unchanged" | "occupied" | null {
  if (from <= now) return "past";
  if (visits.some(({ id, start }) => id === moved?.id && Date.parse(start) === from.getTime())) return "unchanged";
  return minutesUntilNextVisit(from, visits, moved?.id) < (moved?.duration ?? HALF_HOUR_MINUTES) ? "occupied" : null;
}

/** Whether a visit of `length` minutes that starts at `minutes` after midnight is within the hours of its day. */
export function isWithinHours(hours: DayHours, minutes: number, length: number): boolean {
  return hours !== null && minutes >= hours.opens && minutes + length <= hours.closes;
}

/** Minutes from an instant to the next visit; zero within one, infinite where none follows. */
export function minutesUntilNextVisit(from: Date, visits: readonly Visit[], movedId: number | undefined): number {
  const others = visits.filter(({ id, end }) => id !== movedId && new Date(end) > from);
  const next = Math.min(...others.map(({ start }) => Date.parse(start)));
  return Math.max(0, (next - from.getTime()) / MINUTE_MS);
}
