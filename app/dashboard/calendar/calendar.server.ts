import type { Person } from "../../accounts/person.ts";
import { listAllAppointments } from "../../booking/appointment-list/admin-appointments.server.ts";
import type { AdminRow } from "../../booking/appointment-list/admin-rows.ts";
import { hoursOverride } from "../../booking/availability/hours-overrides.server.ts";
import { nextDay, startOfDay, toWallTime } from "../../booking/wall-time.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { formatHours, WEEKDAYS } from "../../practice/office-hours.ts";
import { formatLongDay } from "../../ui/dates.ts";
import { calendarDays, parseCalendarQuery, type View } from "./calendar-range.ts";

/** Limits one page: a month of quarter hours is too long to read. */
const MAX_APPOINTMENTS = 1000;

/** The data of the calendar page for a month, a week or a day; days are local to the practice's time zone. */
export async function calendarPage(person: Person, query: URLSearchParams) {
  const { timeZone } = env.practice;
  const today = toWallTime(now(), timeZone).day;
  const { view, day } = parseCalendarQuery(query, today);
  const { days, previous, next } = calendarDays(view, day);
  const lastDay = days.at(-1) ?? day;
  const range = { gte: startOfDay(days[0] ?? day, timeZone), lt: startOfDay(nextDay(lastDay), timeZone) };
  const rows = await listAllAppointments(person, {
    where: { appointmentDate: range },
    order: "asc",
    take: MAX_APPOINTMENTS,
  });
  const byDay = Map.groupBy(rows, (row) => toWallTime(new Date(row.start), timeZone).day);
  return {
    view,
    day,
    today,
    previous,
    next,
    title: calendarTitle(view, day, days),
    days: await Promise.all(
      days.map(async (date) => ({
        ...dayLabels(date),
        isToday: date === today,
        isOtherMonth: view === "month" && date.slice(0, 7) !== day.slice(0, 7),
        hours: hoursLabel(await hoursOverride(date)),
        rows: byDay.get(date) ?? [],
      })),
    ),
  };
}

export type CalendarDayData = ReturnType<typeof dayLabels> & {
  isToday: boolean;
  isOtherMonth: boolean;
  /** Null: closed; undefined: the usual hours. */
  hours: string | null | undefined;
  rows: AdminRow[];
};

function hoursLabel(hours: Awaited<ReturnType<typeof hoursOverride>>): string | null | undefined {
  return hours ? formatHours(hours) : hours;
}

function dayLabels(day: string) {
  const weekday = WEEKDAYS[new Date(`${day}T00:00Z`).getUTCDay()] ?? "";
  return { day, name: formatLongDay(day), short: `${weekday.slice(0, 3)} ${Number(day.slice(8))}` };
}

function calendarTitle(view: View, day: string, days: string[]): string {
  if (view === "day") return formatLongDay(day);
  if (view === "week") return `Week of ${formatLongDay(days[0] ?? day).replace(/^\w+, /, "")}`;
  return formatLongDay(day).replace(/^\w+, (\w+) \d+, /, "$1 ");
}
