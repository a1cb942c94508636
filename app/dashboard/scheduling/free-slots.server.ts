import { findFreeSlots, findNextFreeDay } from "../../booking/availability/availability.server.ts";
import { lastBookableDay } from "../../booking/rules.ts";
import { parseDay, formatTimeOfDay, toWallTime } from "../../booking/wall-time.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { formatTime, formatLongDay, formatLongDateTime, zoneAbbreviation } from "../../ui/dates.ts";
import { practiceToday } from "../../booking/practice-today.server.ts";

export type FreeSlots = Awaited<ReturnType<typeof loadFreeSlots>>;

/**
 * The free times for `duration` minutes on the day of `?date=`, else on the first day that has some. The appointment
 * `excludedAppointmentId`, which is being rescheduled, does not count as busy. Days and times are the practice's local time.
 */
export async function loadFreeSlots(query: URLSearchParams, duration: number, excludedAppointmentId?: number) {
  const { timeZone } = env.practice;
  const slotSearch = { duration, type: "consultation" as const, excludedAppointmentId, ignoresNotice: true };
  const today = practiceToday();
  const day = parseDay(query.get("date") ?? "") ?? (await findNextFreeDay(today, slotSearch)) ?? today;
  const lastDay = lastBookableDay(today);
  const starts = day < today || day > lastDay ? [] : await findFreeSlots(day, slotSearch);
  return {
    day,
    dayName: formatLongDay(day),
    firstDay: today,
    lastDay,
    zone: zoneAbbreviation(now(), timeZone),
    slots: starts.map((start) => ({
      value: formatTimeOfDay(toWallTime(start, timeZone).minutes),
      label: formatTime(start, timeZone),
      name: formatLongDateTime(start, timeZone),
    })),
  };
}
