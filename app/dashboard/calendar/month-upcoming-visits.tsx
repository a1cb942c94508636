import { Link } from "react-router";
import { isMovable } from "../../booking/appointment-status.ts";
import { appointmentDetailsPath, buildReturnPathQuery, adminReschedulePath } from "../../booking/appointment-paths.ts";
import { SHORT_VISIT_KIND_LABELS } from "../../booking/visit-kind.ts";
import { useSite } from "../../practice/site.ts";
import { LinkButton } from "../../ui/button.tsx";
import { formatShortDateTime } from "../../ui/format-date-time.ts";
import { FourArrowsIcon } from "./four-arrows-icon.tsx";
import { calendarPath } from "./calendar-paths.ts";
import type { CalendarDayData } from "./calendar.server.ts";
import { VISIT_KIND_ICONS } from "./visit-kind-icons.ts";

const MAX_LISTED_VISITS = 8;

type MonthAgendaProps = { days: readonly CalendarDayData[]; month: string };

/**
 * Lists the next visits of a month with a link to move each, on screens that are too narrow for visits in the month's
 * cells. Renders nothing when there are none.
 */
export function MonthUpcomingVisits({ days, month }: MonthAgendaProps) {
  const { timeZone } = useSite().practice;
  const rows = days
    .filter(({ isOtherMonth }) => !isOtherMonth)
    .flatMap((day) => day.rows.filter((row) => isMovable(row) && !row.hasStarted));
  if (rows.length === 0) return null;
  const calendarReturnQuery = buildReturnPathQuery(calendarPath("month", month));
  return (
    <section className="lg:hidden">
      <h2 className="text-xl">Coming up</h2>
      <ul className="rows mt-2">
        {rows.slice(0, MAX_LISTED_VISITS).map(({ id, start, client, visitKind, unpaidCents, money }) => {
          const Mark = VISIT_KIND_ICONS[visitKind];
          const when = formatShortDateTime(start, timeZone);
          return (
            <li key={id} className="row month-agenda-row">
              <Link
                to={`${appointmentDetailsPath(id)}${calendarReturnQuery}`}
                preventScrollReset
                className="wrap-anywhere"
              >
                <strong>
                  <Mark className="inline size-4 align-[-0.125em]" />
                  <span className="sr-only">{SHORT_VISIT_KIND_LABELS[visitKind]}, </span> {client.name}
                </strong>
                <span className="text-muted">{when}</span>
                {unpaidCents > 0 && <span className="text-muted">{money}</span>}
              </Link>
              <LinkButton
                to={`${adminReschedulePath(id)}${calendarReturnQuery}`}
                preventScrollReset
                variant="quiet"
                aria-label={`Move ${client.name}, ${when}`}
              >
                <FourArrowsIcon className="size-4" /> Move
              </LinkButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
