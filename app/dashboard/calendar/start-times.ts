import type { DayHours } from "../../booking/booking-rules.ts";
import { MINUTE_MS } from "../../time-units.ts";

export const HALF_HOUR_MINUTES = 30;
/** Minutes of an hour at which a moved visit may start, the usual ones first. */
export const RESCHEDULE_MINUTES_OF_HOUR = [0, HALF_HOUR_MINUTES, 15, 45];

type Visit = { id: number; start: string; end: string };
/**
 * `visitToMove` is the visit that needs a new start, with its length in minutes; without it the start is for a new
 * visit.
 */
type StartOptions = { now: Date; visitToMove?: { id: number; duration: number } | null };

/** Returns why no visit can start at an instant; null if one can. `visits` are the visits that are not canceled. */
export function startConflict(
  from: Date,
  visits: readonly Visit[],
  { now, visitToMove }: StartOptions,
): "past" | "unchanged" | "occupied" | null {
  if (from <= now) return "past";
  if (visits.some(({ id, start }) => id === visitToMove?.id && Date.parse(start) === from.getTime()))
    return "unchanged";
  return minutesUntilNextVisit(from, visits, visitToMove?.id) < (visitToMove?.duration ?? HALF_HOUR_MINUTES)
    ? "occupied"
    : null;
}

/** Whether a visit of `length` minutes that starts at `minutes` after midnight is within the hours of its day. */
export function isVisitWithinHours(hours: DayHours, minutes: number, length: number): boolean {
  return hours !== null && minutes >= hours.opens && minutes + length <= hours.closes;
}

/** Returns the minutes from an instant to the next visit; zero within a visit, infinite if none follows. */
export function minutesUntilNextVisit(from: Date, visits: readonly Visit[], movedId: number | undefined): number {
  const others = visits.filter(({ id, end }) => id !== movedId && new Date(end) > from);
  const next = Math.min(...others.map(({ start }) => Date.parse(start)));
  return Math.max(0, (next - from.getTime()) / MINUTE_MS);
}
