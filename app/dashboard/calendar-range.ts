import { nextDay, parseDay } from "../booking/wall-time.ts";
import { readFilter } from "../http/list-query.ts";

export const VIEWS = ["month", "week", "day"] as const;
export type View = (typeof VIEWS)[number];

const DAY_MS = 86_400_000;
const DAYS_PER_WEEK = 7;
/** Nothing of the practice's lies outside this century. */
const [MIN_DAY, MAX_DAY] = ["2000-01-01", "2099-12-31"] as const;

/** What a calendar address asks for: its view, and the day around which it is drawn ("2026-12-07"). */
export function parseCalendarQuery(query: URLSearchParams, today: string): { view: View; day: string } {
  const day = parseDay(query.get("day") ?? "") ?? today;
  return { view: readFilter(query, "view", VIEWS), day: day < MIN_DAY || day > MAX_DAY ? today : day };
}

export function calendarPath(view: View, day: string): string {
  return `/calendar?view=${view}&day=${day}`;
}

/** The days that are drawn, whole weeks from Sunday on in the month view, and the days to turn back and on to. */
export function calendarDays(view: View, day: string): { days: string[]; previous: string; next: string } {
  if (view === "day") return { days: [day], previous: addDays(day, -1), next: addDays(day, 1) };
  if (view === "week") {
    const first = addDays(day, -weekdayOf(day));
    return {
      days: consecutiveDays(first, DAYS_PER_WEEK),
      previous: addDays(day, -DAYS_PER_WEEK),
      next: addDays(day, DAYS_PER_WEEK),
    };
  }
  const first = `${day.slice(0, 7)}-01`;
  const nextMonth = firstOfNextMonth(first);
  const start = addDays(first, -weekdayOf(first));
  const last = addDays(nextMonth, -1);
  const end = addDays(last, DAYS_PER_WEEK - 1 - weekdayOf(last));
  const days: string[] = [];
  for (let current = start; current <= end; current = nextDay(current)) days.push(current);
  return { days, previous: `${addDays(first, -1).slice(0, 7)}-01`, next: nextMonth };
}

function consecutiveDays(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, offset) => addDays(first, offset));
}

function firstOfNextMonth(first: string): string {
  const [year = 0, month = 0] = first.split("-").map(Number);
  return month === 12
    ? `${String(year + 1).padStart(4, "0")}-01-01`
    : `${first.slice(0, 5)}${String(month + 1).padStart(2, "0")}-01`;
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00Z`).getUTCDay();
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
