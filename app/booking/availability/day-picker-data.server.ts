import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { formatLongDateTime, formatLongPlainDate, formatTime, zoneAbbreviation } from "../../ui/format-date-time.ts";
import { findNextDaysWithFreeStarts, type FullDaySelection, type SlotSearchOptions } from "./availability.server.ts";
import { lastBookableDay } from "../booking-rules.ts";
import { nextDay, parseDay, toWallTime } from "../wall-time.ts";
import { practiceToday } from "../practice-today.server.ts";
import { checkWaitingListRules } from "../waiting-list/waiting-list-rules.server.ts";
import { roundUpToWaitingListDuration } from "../waiting-list/waiting-list-visit-lengths.ts";

const LISTED_DAY_COUNT = 6;
/** Maximum number of full days among `LISTED_DAY_COUNT`, so that free days are always left to choose from. */
const MAX_FULL_DAYS = 3;
const DAYS_PER_WEEK = 7;
const NOON_MINUTES = 12 * 60;
const EVENING_START_MINUTES = 17 * 60;

export type DayPickerData = Awaited<ReturnType<typeof loadDayPicker>>;

type DayPickerOptions = {
  /** Start (an instant) that is not offered. */
  currentStart?: Date;
  /** Whether to list full days that a family can wait for among the others, without times. */
  showsFullDays?: boolean;
};

/**
 * Returns the next days with free times from `?from=` on, and the free times of the day `?date=`, otherwise of the
 * first day, grouped by part of the day. Days and times are wall time in the practice's time zone.
 */
export async function loadDayPicker(
  query: URLSearchParams,
  search: SlotSearchOptions,
  { currentStart, showsFullDays = false }: DayPickerOptions,
) {
  const { timeZone } = env.practice;
  const today = practiceToday();
  const lastDay = lastBookableDay(today);
  const bookableDay = (name: string) => {
    const day = parseDay(query.get(name) ?? "");
    return day && day >= today && day <= lastDay ? day : null;
  };
  const requestedDay = bookableDay("date");
  const from = bookableDay("from") ?? today;
  const fullDays = showsFullDays ? selectWaitableFullDays(search) : undefined;
  let days = await findNextDaysWithFreeStarts(from, LISTED_DAY_COUNT, search, fullDays);
  const isRequestedDayMissing =
    requestedDay !== null && !daysWithFreeStarts(days).some(({ day }) => day === requestedDay);
  if (isRequestedDayMissing) days = await findNextDaysWithFreeStarts(requestedDay, LISTED_DAY_COUNT, search, fullDays);
  const lastListedDay = days.length === LISTED_DAY_COUNT ? days.at(-1) : undefined;
  if (currentStart) days = withoutStart(days, currentStart);
  const chosenDay = daysWithFreeStarts(days).find(({ day }) => day === requestedDay) ?? daysWithFreeStarts(days)[0];
  const fullDay = requestedDay !== chosenDay?.day ? requestedDay : null;
  return {
    /** Days with `count` 0 are full. */
    days: days.map(({ day, starts }) => ({ ...dayLabels(day), day, count: starts.length })),
    chosen: chosenDay && {
      day: chosenDay.day,
      dayName: formatLongPlainDate(chosenDay.day),
      parts: partsOfDay(chosenDay.starts, timeZone),
    },
    /** The requested day, if it has no free time. */
    fullDay: fullDay && formatLongPlainDate(fullDay),
    /** `fullDay` as "2026-12-07". */
    fullDayDate: fullDay,
    earlierFrom: (days[0]?.day ?? today) > today && (from > today || isRequestedDayMissing) ? today : null,
    laterFrom: lastListedDay ? nextDay(lastListedDay.day) : null,
    firstDay: today,
    lastDay,
    zone: zoneAbbreviation(now(), timeZone),
  };
}

export type FreeWeek = Awaited<ReturnType<typeof loadNextFreeDays>>;

/**
 * Returns the next seven days with free times from the day `?date=` on, with all their times except `currentStart` (an
 * instant). Days and times are wall time in the practice's time zone. One query.
 */
export async function loadNextFreeDays(query: URLSearchParams, search: SlotSearchOptions, currentStart: Date) {
  const { timeZone } = env.practice;
  const today = practiceToday();
  const lastDay = lastBookableDay(today);
  const requestedDay = parseDay(query.get("date") ?? "");
  const from = requestedDay && requestedDay >= today && requestedDay <= lastDay ? requestedDay : today;
  const found = await findNextDaysWithFreeStarts(from, DAYS_PER_WEEK, search);
  const days = withoutStart(found, currentStart);
  const last = found.at(-1);
  return {
    days: days.map(({ day, starts }) => ({
      ...dayLabels(day),
      day,
      count: starts.length,
      parts: partsOfDay(starts, timeZone),
    })),
    /** The requested day, if it has no free time. */
    fullDay: requestedDay && days[0]?.day !== requestedDay ? formatLongPlainDate(requestedDay) : null,
    from,
    earlierFrom: from > today ? today : null,
    laterFrom: found.length === DAYS_PER_WEEK && last ? nextDay(last.day) : null,
    firstDay: today,
    lastDay,
    zone: zoneAbbreviation(now(), timeZone),
  };
}

type Day = { day: string; starts: Date[] };

function daysWithFreeStarts(days: readonly Day[]): Day[] {
  return days.filter(({ starts }) => starts.length > 0);
}

/**
 * Selects full days that a family can wait for. Selects none if the waiting list does not support the length or type.
 */
function selectWaitableFullDays({ duration, type }: SlotSearchOptions): FullDaySelection {
  const minutes = type === "emergency" ? null : roundUpToWaitingListDuration(duration);
  const includes = async (day: string) => minutes !== null && (await checkWaitingListRules(day, minutes)) === null;
  return { count: MAX_FULL_DAYS, includes };
}

/** Removes the visit's current start, and days that have no other start. */
function withoutStart(days: readonly Day[], currentStart: Date): Day[] {
  const isOtherStart = (start: Date) => start.getTime() !== currentStart.getTime();
  return daysWithFreeStarts(days.map(({ day, starts }) => ({ day, starts: starts.filter(isOtherStart) })));
}

/** Returns a day in full, and its weekday and date as they are abbreviated on a button. */
export function dayLabels(day: string) {
  const name = formatLongPlainDate(day);
  const [weekday = "", date = ""] = name.split(", ");
  const [month = "", number = ""] = date.split(" ");
  return { dayName: name, weekday: weekday.slice(0, 3), date: `${month.slice(0, 3)} ${number}` };
}

function partsOfDay(starts: readonly Date[], zone: string) {
  const minutes = (start: Date) => toWallTime(start, zone).minutes;
  const parts = [
    { name: "Morning", starts: starts.filter((start) => minutes(start) < NOON_MINUTES) },
    {
      name: "Afternoon",
      starts: starts.filter((start) => minutes(start) >= NOON_MINUTES && minutes(start) < EVENING_START_MINUTES),
    },
    { name: "Evening", starts: starts.filter((start) => minutes(start) >= EVENING_START_MINUTES) },
  ];
  return parts
    .filter((part) => part.starts.length > 0)
    .map((part) => ({
      name: part.name,
      times: part.starts.map((start) => ({
        value: start.toISOString(),
        label: formatTime(start, zone),
        accessibleName: formatLongDateTime(start, zone),
      })),
    }));
}
