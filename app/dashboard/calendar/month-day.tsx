import { Link } from "react-router";
import type { AdminRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { SHORT_VISIT_KIND_LABELS } from "../../booking/visit-kind.ts";
import { isMovable } from "../../booking/appointment-status.ts";
import { appointmentDetailsPath, buildReturnPathQuery, adminReschedulePath } from "../../booking/appointment-paths.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { useSite } from "../../practice/site.ts";
import { formatShortTime, formatTimeRange } from "../../ui/format-date-time.ts";
import { PlusIcon } from "../../ui/icons.tsx";
import { FourArrowsIcon } from "./four-arrows-icon.tsx";
import { calendarPath, calendarMovePath, adminNewAppointmentPath, adminConfirmMovePath } from "./calendar-paths.ts";
import type { CalendarDayData, VisitToMove } from "./calendar.server.ts";
import { VISIT_KIND_ICONS } from "./visit-kind-icons.ts";

/** Maximum number of lines in a cell. If there are more visits, the last line is a link to the day. */
const MAX_LINES = 4;
const MAX_DOTS = 4;

type MonthDayProps = { day: CalendarDayData; month: string; visitToMove: VisitToMove | null; isTabStop: boolean };

/** Shows one day of the month: its visits as lines (on a phone as dots), and a link to a new appointment on it. */
export function MonthDay({ day, month, visitToMove, isTabStop }: MonthDayProps) {
  const visits = day.rows.filter(({ isCancelled }) => !isCancelled);
  const [pastVisits, upcoming] = [visits.filter(({ isOver }) => isOver), visits.filter(({ isOver }) => !isOver)];
  // Today's past visits come last, because the last visits may not fit.
  const ordered = day.isToday ? [...upcoming, ...pastVisits] : visits;
  const lines = visits.length > MAX_LINES ? ordered.slice(0, MAX_LINES - 1) : ordered;
  const dayPath = visitToMove
    ? calendarMovePath({ view: "day", day: day.day }, visitToMove.id)
    : calendarPath("day", day.day);
  const className = [
    "month-day",
    day.isToday && "is-today",
    day.isPast && "is-past",
    day.isOtherMonth && "is-other",
    day.isClosed && "is-closed",
  ]
    .filter(Boolean)
    .join(" ");
  return (
    <li id={day.isToday ? "today" : undefined} className={className} data-day={day.day}>
      <h2>
        <Link to={dayPath} className="month-date" tabIndex={isTabStop ? undefined : -1}>
          <span aria-hidden="true">{Number(day.day.slice(8))}</span>
          <span className="sr-only">{day.name}</span>
          {day.isToday && <span className="sr-only">, today</span>}
          <MonthDaySummary visits={visits} />
        </Link>
      </h2>
      {(day.hours !== undefined || day.isClosed) && <p className="month-hours">{day.hours ?? "closed"}</p>}
      {visits.length > 0 && (
        <ul className="month-visits">
          {lines.map((row) => (
            <MonthVisit key={row.id} row={row} day={day} month={month} isMoved={row.id === visitToMove?.id} />
          ))}
          {lines.length < visits.length && (
            <li>
              <Link to={dayPath} className="month-more">
                +{visits.length - lines.length} more<span className="sr-only"> on {day.name}</span>
              </Link>
            </li>
          )}
        </ul>
      )}
      {day.isBookable && (
        <Link
          to={
            visitToMove
              ? adminConfirmMovePath(visitToMove.id, day.day, visitToMove.time, { view: "month", day: month })
              : adminNewAppointmentPath({ view: "month", day: day.day })
          }
          preventScrollReset={visitToMove !== null}
          className={`month-new ${visitToMove ? "is-move" : ""}`}
          aria-label={visitToMove ? `Move here: ${day.name}, ${visitToMove.name}` : `New appointment: ${day.name}`}
          tabIndex={isTabStop ? undefined : -1}
        >
          <PlusIcon className="size-4" /> {visitToMove ? "Move here" : "New"}
        </Link>
      )}
    </li>
  );
}

/** Shows on a phone the number of visits, and whether money is due. */
function MonthDaySummary({ visits }: { visits: readonly AdminRow[] }) {
  if (visits.length === 0) return null;
  const isDue = visits.some(({ dueCents }) => dueCents > 0);
  return (
    <span className="month-summary">
      <span className="sr-only">
        , {formatCountWithNoun(visits.length, "visit")}
        {isDue && ", money due"}
      </span>
      <span aria-hidden="true">
        {visits.slice(0, MAX_DOTS).map(({ id }) => (
          <i key={id} />
        ))}
        {visits.length > MAX_DOTS && "+"}
        {isDue && <strong>$</strong>}
      </span>
    </span>
  );
}

type MonthVisitProps = { row: AdminRow; day: CalendarDayData; month: string; isMoved: boolean };

function MonthVisit({ row, day, month, isMoved }: MonthVisitProps) {
  const { timeZone } = useSite().practice;
  const { id, client, start, end, visitKind, dueCents, unpaidCents, money, badge, status, isOngoing, needsOutcome } =
    row;
  const Mark = VISIT_KIND_ICONS[visitKind];
  const calendarReturnQuery = buildReturnPathQuery(calendarPath("month", month));
  const stateClass = isOngoing ? "is-now" : needsOutcome ? "is-open" : isMovable(row) ? "" : "is-over";
  return (
    <li
      className={`month-visit ${stateClass} ${isMoved ? "is-moving" : ""}`}
      data-visit={isMovable(row) && !isMoved ? id : undefined}
    >
      <Link to={`${appointmentDetailsPath(id)}${calendarReturnQuery}`} preventScrollReset title={client.name}>
        <span className="month-visit-time">{formatShortTime(start, timeZone)}</span>{" "}
        <Mark className="inline size-3.5 align-[-0.125em]" />
        {unpaidCents > 0 && (
          <span aria-hidden="true" className={dueCents > 0 ? "font-bold text-warn" : undefined}>
            {" "}
            $
          </span>
        )}{" "}
        {status === "no-show" && <strong aria-hidden="true">✕ </strong>}
        {client.name}
        <span className="sr-only">
          , {SHORT_VISIT_KIND_LABELS[visitKind]}
          {unpaidCents > 0 && `, ${money}`}, {badge.label}, {day.name}
        </span>
      </Link>
      {isMovable(row) && (
        <Link
          to={`${adminReschedulePath(id)}${calendarReturnQuery}`}
          preventScrollReset
          className="month-visit-move"
          aria-label={`Move ${client.name}, ${day.name}, ${formatTimeRange(start, end, timeZone)}`}
        >
          <FourArrowsIcon className="size-4" />
        </Link>
      )}
    </li>
  );
}
