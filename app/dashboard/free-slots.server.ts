import { findFreeSlots, findNextFreeDay } from "../booking/availability.server.ts";
import { MAX_YEARS_AHEAD } from "../booking/rules.ts";
import { toInstant, parseDay, formatMinutes, toWallTime } from "../booking/wall-time.ts";
import { now } from "../clock.ts";
import { env } from "../env.server.ts";
import { formatTime, formatLongDate, formatLongDateTime, zoneAbbreviation } from "../ui/dates.ts";

const NOON_MINUTES = 12 * 60;

export type FreeSlots = Awaited<ReturnType<typeof loadFreeSlots>>;

/**
 * The free times of the day that `?date=` names, else of the first day that has some; for an appointment of `duration`
 * minutes, `exceptId` being the one that is moved away. Days and times are wall time of the practice.
 */
export async function loadFreeSlots(query: URLSearchParams, duration: number, exceptId?: number) {
  const { timeZone } = env.practice;
  const slotSearch = { duration, type: "consultation" as const, exceptId };
  const today = toWallTime(now(), timeZone).day;
  const day = parseDay(query.get("date") ?? "") ?? (await findNextFreeDay(today, slotSearch)) ?? today;
  const lastDay = `${Number(today.slice(0, 4)) + MAX_YEARS_AHEAD}${today.slice(4)}`;
  const starts = day < today || day > lastDay ? [] : await findFreeSlots(day, slotSearch);
  return {
    day,
    dayName: formatLongDate(toInstant(day, NOON_MINUTES, timeZone) ?? now(), timeZone),
    firstDay: today,
    lastDay,
    zone: zoneAbbreviation(now(), timeZone),
    slots: starts.map((start) => ({
      value: formatMinutes(toWallTime(start, timeZone).minutes),
      label: formatTime(start, timeZone),
      name: formatLongDateTime(start, timeZone),
    })),
  };
}
