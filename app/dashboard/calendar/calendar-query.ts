import { addDays } from "date-fns/addDays";
import { addMonths } from "date-fns/addMonths";
import { eachDayOfInterval } from "date-fns/eachDayOfInterval";
import { endOfMonth } from "date-fns/endOfMonth";
import { endOfWeek } from "date-fns/endOfWeek";
import { lightFormat } from "date-fns/lightFormat";
import { parseISO } from "date-fns/parseISO";
import { startOfMonth } from "date-fns/startOfMonth";
import { startOfWeek } from "date-fns/startOfWeek";
import { parseDay } from "../../booking/wall-time.ts";
import { readFilter } from "../../http/list-query.ts";

/** In the order in which the page offers them. */
export const CALENDAR_VIEWS = ["month", "week", "day"] as const;
export type CalendarView = (typeof CALENDAR_VIEWS)[number];

/** What the calendar shows. With `showsEarlier` the days before today are shown in the week on a narrow screen. */
export type CalendarOrigin = { view: CalendarView; day: string; showsEarlier?: boolean };

const DAYS_PER_WEEK = 7;
/** The calendar can be browsed within this century. */
const [MIN_DAY, MAX_DAY] = ["2000-01-01", "2099-12-31"] as const;

/**
 * Returns the view of a calendar address and the day that it shows ("2026-12-07"); `today` if the address contains no
 * valid day, and the week, which begins with today on a phone, if it contains no valid view.
 */
export function parseCalendarQuery(query: URLSearchParams, today: string): Required<CalendarOrigin> {
  const day = parseDay(query.get("day") ?? "") ?? today;
  const view = readFilter(query, "view", ["week", ...CALENDAR_VIEWS]);
  return {
    view,
    day: day < MIN_DAY || day > MAX_DAY ? today : day,
    showsEarlier: view === "week" && query.has("earlier"),
  };
}

/**
 * Returns the days that a view shows (in the month view whole weeks, starting on Sunday), and the days of the previous
 * and next views.
 */
export function calendarDays(view: CalendarView, day: string): { days: string[]; previous: string; next: string } {
  const date = parseISO(day);
  if (view === "day") return { days: [day], previous: toDay(addDays(date, -1)), next: toDay(addDays(date, 1)) };
  if (view === "week") {
    return {
      days: eachDayOfInterval({ start: startOfWeek(date), end: endOfWeek(date) }).map(toDay),
      previous: toDay(addDays(date, -DAYS_PER_WEEK)),
      next: toDay(addDays(date, DAYS_PER_WEEK)),
    };
  }
  const first = startOfMonth(date);
  return {
    days: eachDayOfInterval({ start: startOfWeek(first), end: endOfWeek(endOfMonth(first)) }).map(toDay),
    previous: toDay(addMonths(first, -1)),
    next: toDay(addMonths(first, 1)),
  };
}

/** Formats the date without a time zone: date-fns uses the process's own zone, and only the dates are used. */
function toDay(date: Date): string {
  return lightFormat(date, "yyyy-MM-dd");
}
