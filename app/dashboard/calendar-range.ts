import { dayAfter, readDay } from "../booking/wall-time.ts";
import { readFilter } from "../http/list-query.ts";

export const VIEWS = ["month", "week", "day"] as const;
export type View = (typeof VIEWS)[number];

const DAY = 86_400_000;
const WEEK = 7;
/** Nothing of the practice's lies outside this century. */
const [FIRST, LAST] = ["2000-01-01", "2099-12-31"] as const;

/** What a calendar address asks for: its view, and the day around which it is drawn ("2026-12-07"). */
export function readCalendar(query: URLSearchParams, today: string): { view: View; day: string } {
  const day = readDay(query.get("day") ?? "") ?? today;
  return { view: readFilter(query, "view", VIEWS), day: day < FIRST || day > LAST ? today : day };
}

export function calendarAddress(view: View, day: string): string {
  return `/calendar?view=${view}&day=${day}`;
}

/** The days that are drawn, whole weeks from Sunday on in the month view, and the days to turn back and on to. */
export function calendarDays(view: View, day: string): { days: string[]; before: string; after: string } {
  if (view === "day") return { days: [day], before: shifted(day, -1), after: shifted(day, 1) };
  if (view === "week") {
    const first = shifted(day, -weekdayOf(day));
    return { days: daysFrom(first, WEEK), before: shifted(day, -WEEK), after: shifted(day, WEEK) };
  }
  const first = `${day.slice(0, 7)}-01`;
  const next = monthAfter(first);
  const start = shifted(first, -weekdayOf(first));
  const last = shifted(next, -1);
  const end = shifted(last, WEEK - 1 - weekdayOf(last));
  const days: string[] = [];
  for (let each = start; each <= end; each = dayAfter(each)) days.push(each);
  return { days, before: `${shifted(first, -1).slice(0, 7)}-01`, after: next };
}

function daysFrom(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, ahead) => shifted(first, ahead));
}

function monthAfter(first: string): string {
  const [year = 0, month = 0] = first.split("-").map(Number);
  return month === 12
    ? `${String(year + 1).padStart(4, "0")}-01-01`
    : `${first.slice(0, 5)}${String(month + 1).padStart(2, "0")}-01`;
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00Z`).getUTCDay();
}

function shifted(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * DAY).toISOString().slice(0, 10);
}
