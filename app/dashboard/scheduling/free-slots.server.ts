import {
  findNextDaysWithFreeStarts,
  findFreeSlots,
  hasConflict,
} from "../../booking/availability/availability.server.ts";
import { dayLabels } from "../../booking/availability/day-picker-data.server.ts";
import { lastBookableDay } from "../../booking/booking-rules.ts";
import { parseWallTimeToInstant } from "../../booking/start-time.ts";
import { parseDay, formatTimeOfDay, toWallTime } from "../../booking/wall-time.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import {
  formatTime,
  formatLongPlainDate,
  formatLongDateTime,
  formatShortPlainDate,
  zoneAbbreviation,
} from "../../ui/format-date-time.ts";
import { practiceToday } from "../../booking/practice-today.server.ts";

/** Number of days with free times that are offered as buttons. */
const MAX_DAY_BUTTONS = 6;

export type FreeSlots = Awaited<ReturnType<typeof loadFreeSlots>>;

/**
 * Loads the free times for `duration` minutes on the day of `?freeDay=` or `?date=`, otherwise on the first day that has
 * some, and the next days that have some, from today on or from that day on if it is later than those. `?time=` or `?slot=` is preselected if it is free, otherwise the next one; without them, none is. A `?time=` that is free but
 * not offered stays in the field as typed. If another time is selected instead, `replaced` says so. Days and times are the
 * practice's local time.
 */
export async function loadFreeSlots(query: URLSearchParams, duration: number) {
  const { timeZone } = env.practice;
  const slotSearch = { duration, type: "consultation" as const, ignoresNotice: true };
  const today = practiceToday();
  const requestedDay = parseDay(query.get("freeDay") ?? query.get("date") ?? "");
  const lastDay = lastBookableDay(today);
  const nextDays = await findNextDaysWithFreeStarts(today, MAX_DAY_BUTTONS, slotSearch);
  const day = requestedDay ?? nextDays[0]?.day ?? today;
  const isLater = day > (nextDays.at(-1)?.day ?? today) && day <= lastDay;
  const days = isLater ? await findNextDaysWithFreeStarts(day, MAX_DAY_BUTTONS, slotSearch) : nextDays;
  const starts = day < today || day > lastDay ? [] : await findFreeSlots(day, slotSearch);
  const slots = starts.map((start) => ({
    value: formatTimeOfDay(toWallTime(start, timeZone).minutes),
    label: formatTime(start, timeZone),
    name: formatLongDateTime(start, timeZone),
  }));
  return {
    day,
    dayName: formatLongPlainDate(day),
    shortDayName: formatShortPlainDate(day),
    days: days.map((each) => ({ ...dayLabels(each.day), day: each.day, count: each.starts.length })),
    firstDay: today,
    lastDay,
    zone: zoneAbbreviation(now(), timeZone),
    slots,
    ...(await resolvePreselectedTime(day, query, duration, slots)),
  };
}

/**
 * Returns the preselected slot or the time that stays in the field. Neither is set if no time was asked for; otherwise
 * exactly one of them, if there are free slots.
 */
async function resolvePreselectedTime(
  day: string,
  query: URLSearchParams,
  duration: number,
  slots: readonly { value: string; label: string }[],
): Promise<{ chosenSlot: string; typedTime: string; replaced: string | null }> {
  const typedTime = query.get("time") ?? "";
  const requested = typedTime || (query.get("slot") ?? "");
  // A press too many would book a time that nobody has looked at.
  if (requested === "") return { chosenSlot: "", typedTime: "", replaced: null };
  const chosen = slots.find(({ value }) => value >= requested) ?? slots[0];
  const wanted = chosen?.value === requested ? "" : parseWallTimeToInstant(day, requested, env.practice.timeZone);
  if (!(wanted instanceof Date)) return { chosenSlot: chosen?.value ?? "", typedTime: "", replaced: null };
  if (typedTime && !(await hasConflict({ start: wanted, duration }, { pauseMinutes: 0 })))
    return { chosenSlot: "", typedTime, replaced: null };
  const replacedNotice = `${formatTime(wanted, env.practice.timeZone)} is not free for ${duration} minutes.`;
  return {
    chosenSlot: chosen?.value ?? "",
    typedTime: "",
    replaced: chosen ? `${replacedNotice} ${chosen.label} is chosen instead.` : replacedNotice,
  };
}
