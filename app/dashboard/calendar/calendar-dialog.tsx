import { useLocation } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { AdminRows } from "../../booking/appointment-list/admin-row.tsx";
import type { AdminRow as Row } from "../../booking/appointment-list/admin-rows.ts";
import { listAllAppointments } from "../../booking/appointment-list/admin-appointments.server.ts";
import { startOfDay, toWallTime } from "../../booking/wall-time.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { LinkButton } from "../../ui/button.tsx";
import { formatLongDate } from "../../ui/dates.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import type { Route } from "./+types/calendar-dialog";
import { dashboardPath, filterQuery } from "../filters.ts";

const TITLE = "Appointment Calendar";
/** Limits the dialog; the calendar page shows any month. */
const MAX_APPOINTMENTS = 200;

/** Appointments from today on by day; with `?before`, the last MAX_APPOINTMENTS before today. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { timeZone } = env.practice;
  const today = startOfDay(toWallTime(now(), timeZone).day, timeZone);
  const isBefore = url.searchParams.has("before");
  const rows = await listAllAppointments(requirePerson(context), {
    where: { appointmentDate: isBefore ? { lt: today } : { gte: today } },
    order: isBefore ? "desc" : "asc",
    take: MAX_APPOINTMENTS + 1,
  });
  const visible = rows.slice(0, MAX_APPOINTMENTS);
  return {
    isBefore,
    hasMore: rows.length > MAX_APPOINTMENTS,
    days: groupByDay(isBefore ? visible.toReversed() : visible, timeZone),
  };
}

/** Groups rows, which are sorted by start, by local day of `zone`; the order is preserved. */
function groupByDay(rows: Row[], zone: string): { day: string; name: string; rows: Row[] }[] {
  const days = new Map<string, Row[]>();
  for (const row of rows) {
    const { day } = toWallTime(new Date(row.start), zone);
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  return [...days].map(([day, dayRows]) => ({
    day,
    name: formatLongDate(dayRows[0]?.start ?? "", zone),
    rows: dayRows,
  }));
}

export default function CalendarDialog({ loaderData: { days, isBefore, hasMore } }: Route.ComponentProps) {
  const { search } = useLocation();
  const filters = filterQuery(search);
  return (
    <Dialog title={TITLE} closeTo={dashboardPath(search)} size="lg">
      <PageTitle>{TITLE}</PageTitle>
      <div className="actions">
        <LinkButton to={`/dashboard/calendar${isBefore ? filters : `${filters || "?"}&before`}`}>
          {isBefore ? "From today on" : "Earlier days"}
        </LinkButton>
        <LinkButton to="/calendar">Month, week and day</LinkButton>
      </div>
      {days.length === 0 && (
        <EmptyState
          illustration="calendar"
          title={isBefore ? "Nothing before today" : "Nothing is booked from today on"}
        />
      )}
      {days.map(({ day, name, rows }) => (
        <AdminRows key={day} heading={name} rows={rows} filterQuery={filters} timeOnly detailsText="View" />
      ))}
      {hasMore && <p>There are more. The calendar page shows any month, week or day.</p>}
    </Dialog>
  );
}
