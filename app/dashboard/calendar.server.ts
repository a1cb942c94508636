import type { Person } from "../accounts/person.ts";
import { listForAdmin } from "../booking/admin-list.server.ts";
import type { AdminRow } from "../booking/admin-rows.ts";
import { hoursOn } from "../booking/day-hours.server.ts";
import { dayAfter, instantOf, startOfDay, wallTimeOf } from "../booking/wall-time.ts";
import { now } from "../clock.ts";
import { env } from "../env.server.ts";
import { formatHours, WEEKDAYS } from "../practice/office-hours.ts";
import { formatLongDate } from "../ui/dates.ts";
import { calendarDays, readCalendar, type View } from "./calendar-range.ts";

const NOON = 12 * 60;
/** A month of quarter hours has more; nobody can read that. */
const MOST = 1000;

/** What the calendar page shows of a month, a week or a day; days are those of the practice's zone. */
export async function calendarPage(person: Person, query: URLSearchParams) {
  const { timeZone } = env.practice;
  const today = wallTimeOf(now(), timeZone).day;
  const { view, day } = readCalendar(query, today);
  const { days, before, after } = calendarDays(view, day);
  const last = days.at(-1) ?? day;
  const span = { gte: startOfDay(days[0] ?? day, timeZone), lt: startOfDay(dayAfter(last), timeZone) };
  const rows = await listForAdmin(person, { where: { appointmentDate: span }, order: "asc", take: MOST });
  const byDay = Map.groupBy(rows, (row) => wallTimeOf(new Date(row.start), timeZone).day);
  return {
    view,
    day,
    today,
    before,
    after,
    title: titleOf(view, day, days),
    days: await Promise.all(
      days.map(async (each) => ({
        ...namesOf(each),
        isToday: each === today,
        isOutside: view === "month" && each.slice(0, 7) !== day.slice(0, 7),
        hours: ownHours(await hoursOn(each)),
        rows: byDay.get(each) ?? [],
      })),
    ),
  };
}

export type CalendarDayData = ReturnType<typeof namesOf> & {
  isToday: boolean;
  isOutside: boolean;
  /** Null: closed; undefined: the usual hours. */
  hours: string | null | undefined;
  rows: AdminRow[];
};

function ownHours(hours: Awaited<ReturnType<typeof hoursOn>>): string | null | undefined {
  return hours ? formatHours(hours) : hours;
}

function namesOf(day: string) {
  const weekday = WEEKDAYS[new Date(`${day}T00:00Z`).getUTCDay()] ?? "";
  return { day, name: nameOf(day), short: `${weekday.slice(0, 3)} ${Number(day.slice(8))}` };
}

function titleOf(view: View, day: string, days: string[]): string {
  if (view === "day") return nameOf(day);
  if (view === "week") return `Week of ${nameOf(days[0] ?? day).replace(/^\w+, /, "")}`;
  return nameOf(day).replace(/^\w+, (\w+) \d+, /, "$1 ");
}

function nameOf(day: string): string {
  return formatLongDate(instantOf(day, NOON, env.practice.timeZone) ?? now(), env.practice.timeZone);
}
