import type { Person } from "../../accounts/person.ts";
import { listAdminAppointmentsWithAudit } from "../../booking/appointment-list/admin-appointments.server.ts";
import type { AdminRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { findHoursOverride, findOfficeHours } from "../../booking/availability/hours-overrides.server.ts";
import { isMovable } from "../../booking/appointment-status.ts";
import { type DayHours, lastBookableDay } from "../../booking/booking-rules.ts";
import { listWaitingListEntries } from "../../booking/waiting-list/waiting-list.server.ts";
import { formatTimeOfDay, nextDay, startOfDay, toWallTime } from "../../booking/wall-time.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { formatOpeningHours, WEEKDAYS } from "../../practice/office-hours.ts";
import { formatLongPlainDate } from "../../ui/format-date-time.ts";
import { calendarDays, parseCalendarQuery, type CalendarView } from "./calendar-query.ts";
import { type GridCell, type GridRow, buildTimeGrid } from "./time-grid.ts";
import { practiceToday } from "../../booking/practice-today.server.ts";

/** Limits one page. A month with a visit in every quarter hour would be too long to read. */
const MAX_APPOINTMENTS = 1000;

/**
 * Loads the calendar page for a month, a week or a day. Days are local to the practice's time zone. With `?move=` and a
 * visit's id, its free times (in the month view its days) move that visit. For the administrator; throws for anyone
 * else.
 */
export async function loadCalendarPage(person: Person, query: URLSearchParams) {
  const { timeZone } = env.practice;
  const today = practiceToday();
  const { view, day, showsEarlier } = parseCalendarQuery(query, today);
  const { days, previous, next } = calendarDays(view, day);
  const lastDay = days.at(-1) ?? day;
  const range = { gte: startOfDay(days[0] ?? day, timeZone), lt: startOfDay(nextDay(lastDay), timeZone) };
  const visitToMoveId = parseId(query.get("move") ?? "");
  const found = await listAdminAppointmentsWithAudit(person, {
    where:
      visitToMoveId === null ? { appointmentDate: range } : { OR: [{ appointmentDate: range }, { id: visitToMoveId }] },
    order: "asc",
    take: MAX_APPOINTMENTS,
  });
  const rowToMove = found.find((row) => row.id === visitToMoveId && isMovable(row)) ?? null;
  const rows = found.filter(({ start }) => new Date(start) >= range.gte && new Date(start) < range.lt);
  const byDay = Map.groupBy(rows, (row) => toWallTime(new Date(row.start), timeZone).day);
  const lastBookable = lastBookableDay(today);
  const calendarDaysData = await Promise.all(
    days.map(async (date) => ({
      ...dayLabels(date),
      isToday: date === today,
      isPast: date < today,
      isOtherMonth: view === "month" && date.slice(0, 7) !== day.slice(0, 7),
      isBookable: date >= today && date <= lastBookable,
      isClosed: (await findOfficeHours(date)) === null,
      hours: hoursLabel(await findHoursOverride(date)),
      rows: byDay.get(date) ?? [],
    })),
  );
  return {
    waiting: await listWaitingListEntries(person, { firstDay: days[0] ?? day, lastDay }),
    view,
    day,
    today,
    previous,
    next,
    moved: rowToMove && toVisitToMove(rowToMove),
    showsEarlier,
    asOf: now().toISOString(),
    title: calendarTitle(view, day, days),
    grid: view === "month" ? null : await loadGrid(calendarDaysData, rowToMove),
    days: calendarDaysData,
  };
}

export type CalendarPageData = Awaited<ReturnType<typeof loadCalendarPage>>;

export type CalendarGrid = { rows: GridRow[]; columns: (GridCell<AdminRow> | null)[][]; hours: DayHours[] };

async function loadGrid(days: readonly CalendarDayData[], rowToMove: AdminRow | null): Promise<CalendarGrid> {
  const { timeZone } = env.practice;
  const gridDays = await Promise.all(
    days.map(async ({ day, rows }) => ({ day, hours: await findOfficeHours(day), visits: rows })),
  );
  const lastDay = lastBookableDay(practiceToday());
  const hours = gridDays.map((each) => each.hours);
  return { ...buildTimeGrid(gridDays, { zone: timeZone, now: now(), lastDay, visitToMove: rowToMove }), hours };
}

export type CalendarDayData = ReturnType<typeof dayLabels> & {
  isToday: boolean;
  isPast: boolean;
  isOtherMonth: boolean;
  /** True if the day is not over and not too far ahead. */
  isBookable: boolean;
  isClosed: boolean;
  /** Null: closed. Undefined: the usual hours. */
  hours: string | null | undefined;
  rows: AdminRow[];
};

export type VisitToMove = ReturnType<typeof toVisitToMove>;

/** Returns the visit that is being moved. `time` is the wall time of its start ("14:30"). */
function toVisitToMove({ id, client, title, start, duration }: AdminRow) {
  const time = formatTimeOfDay(toWallTime(new Date(start), env.practice.timeZone).minutes);
  return { id, name: client.name, title, start, duration, time };
}

function hoursLabel(hours: Awaited<ReturnType<typeof findHoursOverride>>): string | null | undefined {
  return hours ? formatOpeningHours(hours) : hours;
}

function dayLabels(day: string) {
  const weekday = WEEKDAYS[new Date(`${day}T00:00Z`).getUTCDay()] ?? "";
  return { day, name: formatLongPlainDate(day), short: `${weekday.slice(0, 3)} ${Number(day.slice(8))}` };
}

function calendarTitle(view: CalendarView, day: string, days: string[]): string {
  if (view === "day") return formatLongPlainDate(day);
  if (view === "week") return `Week of ${formatLongPlainDate(days[0] ?? day).replace(/^\w+, /, "")}`;
  return formatLongPlainDate(day).replace(/^\w+, (\w+) \d+, /, "$1 ");
}
