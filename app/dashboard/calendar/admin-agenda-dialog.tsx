import { useLocation } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { AdminAppointmentSection } from "../../booking/appointment-list/admin-appointment-section.tsx";
import type { AdminRow as Row } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { listAdminAppointmentsWithAudit } from "../../booking/appointment-list/admin-appointments.server.ts";
import { startOfDay, toWallTime } from "../../booking/wall-time.ts";
import { env } from "../../env.server.ts";
import { LinkButton } from "../../ui/button.tsx";
import { formatLongDate } from "../../ui/format-date-time.ts";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import type { Route } from "./+types/admin-agenda-dialog";
import { APPOINTMENT_AGENDA_PATH, adminNewAppointmentPath } from "./calendar-paths.ts";
import { pickAppointmentFilterParams } from "../appointment-filters.ts";
import { dialogReturnPath } from "../return-path.ts";
import { practiceToday } from "../../booking/practice-today.server.ts";

const TITLE = "Appointment Calendar";
const APPOINTMENTS_PER_PART = 200;
const MAX_PARTS = 100;

/**
 * Loads the appointments from today on, by day. With `?before` loads those before today, starting with the latest 200.
 * `?part=2` loads the next 200.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { timeZone } = env.practice;
  const today = startOfDay(practiceToday(), timeZone);
  const showsPast = url.searchParams.has("before");
  const [, part = "1"] = /^([1-9]\d?)$/.exec(url.searchParams.get("part") ?? "") ?? [];
  const rows = await listAdminAppointmentsWithAudit(requirePerson(context), {
    where: { appointmentDate: showsPast ? { lt: today } : { gte: today } },
    order: showsPast ? "desc" : "asc",
    skip: (Number(part) - 1) * APPOINTMENTS_PER_PART,
    take: APPOINTMENTS_PER_PART + 1,
  });
  const visible = rows.slice(0, APPOINTMENTS_PER_PART);
  return {
    today: practiceToday(),
    showsPast,
    part: Number(part),
    hasMore: rows.length > APPOINTMENTS_PER_PART && Number(part) < MAX_PARTS,
    days: groupByDay(showsPast ? visible.toReversed() : visible, timeZone),
  };
}

/** Groups rows by local day of `zone`. The rows must be sorted by start; their order is preserved. */
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

export default function AdminAgendaDialog({
  loaderData: { today, days, showsPast, part, hasMore },
}: Route.ComponentProps) {
  const { search } = useLocation();
  const filters = pickAppointmentFilterParams(search);
  const partPath = (each: number) =>
    `${APPOINTMENT_AGENDA_PATH}${filters || "?"}${showsPast ? "&before" : ""}${each > 1 ? `&part=${each}` : ""}`;
  return (
    <RouteDialog title={TITLE} closeTo={dialogReturnPath(search)} size="lg">
      <PageMeta>{TITLE}</PageMeta>
      <p>The visits of the Calendar page as a list, {showsPast ? "those before today" : "from today on"}.</p>
      <div className="actions actions-short">
        <LinkButton to={`${APPOINTMENT_AGENDA_PATH}${showsPast ? filters : `${filters || "?"}&before`}`}>
          {showsPast ? "From today on" : "Earlier days"}
        </LinkButton>
        <LinkButton to="/calendar">Month, week and day</LinkButton>
        <LinkButton to={adminNewAppointmentPath({ view: "week", day: today })}>
          <PlusIcon /> New appointment
        </LinkButton>
      </div>
      {days.length === 0 && (
        <EmptyState
          illustration="calendar"
          title={showsPast ? "Nothing before today" : "Nothing is booked from today on"}
        />
      )}
      {days.map(({ day, name, rows }) => (
        <AdminAppointmentSection
          key={day}
          heading={name}
          rows={rows}
          filterQuery={filters}
          hidesDate
          detailsText="View"
        />
      ))}
      {(part > 1 || hasMore) && (
        <nav aria-label="More appointments" className="actions">
          {part > 1 && <LinkButton to={partPath(part - 1)}>{showsPast ? "Later days" : "Sooner days"}</LinkButton>}
          {hasMore && (
            <LinkButton to={partPath(part + 1)}>{showsPast ? "Still earlier days" : "Later days"}</LinkButton>
          )}
        </nav>
      )}
    </RouteDialog>
  );
}
