import { DAY_MS } from "../../time-units.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { formatLongDateTime, formatShortDateTime } from "../../ui/format-date-time.ts";
import { practiceToday } from "../practice-today.server.ts";
import { lastBookableDay } from "../booking-rules.ts";
import { toWallTime } from "../wall-time.ts";
import { findNextDaysWithFreeStarts, type SlotSearchOptions } from "./availability.server.ts";

const MAX_NEAREST_TIMES = 4;
/** Number of free days, starting the day before the requested one, in which the nearest times are searched. */
const SEARCHED_DAY_COUNT = 4;

/** `value` is an instant, ISO 8601 UTC; `day` its day in the practice's time zone. */
export type NearestTime = { value: string; day: string; label: string; accessibleName: string };

/** Sorts `times` by their distance from `to`, nearest first. */
export function sortByDistance(times: readonly Date[], to: Date): Date[] {
  const distance = (time: Date) => Math.abs(time.getTime() - to.getTime());
  return times.toSorted((a, b) => distance(a) - distance(b));
}

/**
 * Returns the free starts nearest to `start` (an instant), ascending. Empty when the start is after the last bookable
 * day. One query.
 */
export async function findNearestStarts(start: Date, search: SlotSearchOptions): Promise<Date[]> {
  if (toWallTime(start, env.practice.timeZone).day > lastBookableDay(practiceToday())) return [];
  const from = new Date(Math.max(start.getTime() - DAY_MS, now().getTime()));
  const days = await findNextDaysWithFreeStarts(
    toWallTime(from, env.practice.timeZone).day,
    SEARCHED_DAY_COUNT,
    search,
  );
  const starts = days.flatMap((each) => each.starts);
  return sortByDistance(starts, start)
    .slice(0, MAX_NEAREST_TIMES)
    .toSorted((a, b) => a.getTime() - b.getTime());
}

/** Returns the free times nearest to a start that is not free, as choices labeled in the practice's time zone. */
export async function findNearestTimes(start: Date, search: SlotSearchOptions): Promise<NearestTime[]> {
  const { timeZone } = env.practice;
  return (await findNearestStarts(start, search)).map((time) => ({
    value: time.toISOString(),
    day: toWallTime(time, timeZone).day,
    label: formatShortDateTime(time, timeZone),
    accessibleName: formatLongDateTime(time, timeZone),
  }));
}
