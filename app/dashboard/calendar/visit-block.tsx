import { Link } from "react-router";
import type { AdminRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { SHORT_VISIT_KIND_LABELS } from "../../booking/visit-kind.ts";
import { isMovable } from "../../booking/appointment-status.ts";
import { appointmentDetailsPath, buildReturnPathQuery } from "../../booking/appointment-paths.ts";
import { useSite } from "../../practice/site.ts";
import { formatTimeRange } from "../../ui/format-date-time.ts";
import { FourArrowsIcon } from "./four-arrows-icon.tsx";
import { calendarMovePath, calendarOriginPath } from "./calendar-paths.ts";
import type { CalendarOrigin } from "./calendar-query.ts";
import { VISIT_KIND_ICONS } from "./visit-kind-icons.ts";

type VisitBlockProps = {
  row: AdminRow;
  dayName: string;
  origin: CalendarOrigin;
  className: string;
  /** A visit that is being moved has no links, so that a time within its own period can be selected through it. */
  isMoving: boolean;
};

/** Shows a visit in the time grid: name, time, kind and what is not paid, and a link to move it. */
export function VisitBlock({ row, dayName, origin, className, isMoving }: VisitBlockProps) {
  const { timeZone } = useSite().practice;
  const { id, client, start, end, visitKind, dueCents, unpaidCents, money, badge, status, isOngoing, needsOutcome } =
    row;
  const Mark = VISIT_KIND_ICONS[visitKind];
  if (isMoving)
    return (
      <p className={`time-visit is-moving ${className}`}>
        <span className="time-visit-name">{client.name}</span>
      </p>
    );
  return (
    <div
      className={`time-visit ${className} ${isOngoing ? "is-now" : needsOutcome ? "is-open" : isMovable(row) ? "" : "is-over"}`}
      data-visit={isMovable(row) ? id : undefined}
    >
      <Link to={`${appointmentDetailsPath(id)}${buildReturnPathQuery(calendarOriginPath(origin))}`} preventScrollReset>
        <span className="time-visit-name">
          <Mark className="inline size-4 align-[-0.15em]" /> {client.name}
        </span>
        <span className="time-visit-facts">
          <span className="sr-only">{formatTimeRange(start, end, timeZone)}</span>
          <span aria-hidden="true">{formatTimeRange(start, end, timeZone).replaceAll(":00", "")}</span>
          {unpaidCents > 0 && " "}
          {unpaidCents > 0 && (
            <span className={`whitespace-nowrap ${dueCents > 0 ? "font-bold text-warn" : ""}`}>· {money}</span>
          )}
          <span className="time-visit-more">
            {" "}
            · {SHORT_VISIT_KIND_LABELS[visitKind]} · {row.title}
            {!needsOutcome && status !== "no-show" && ` · ${badge.label}`}
          </span>
          {status === "no-show" && <strong className="time-visit-status"> {badge.label}</strong>}
          {needsOutcome && <strong className="time-visit-status text-warn"> {badge.label}</strong>}
          <span className="sr-only">, {dayName}</span>
        </span>
      </Link>
      {isMovable(row) && (
        <Link
          to={calendarMovePath(origin, id)}
          preventScrollReset
          className="time-visit-move"
          aria-label={`Move ${client.name}, ${dayName}, ${formatTimeRange(start, end, timeZone)}`}
        >
          <FourArrowsIcon className="size-4" />
          <span>Move</span>
        </Link>
      )}
    </div>
  );
}
