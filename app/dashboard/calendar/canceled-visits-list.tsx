import { Link } from "react-router";
import { appointmentDetailsPath, buildReturnPathQuery } from "../../booking/appointment-paths.ts";
import { useSite } from "../../practice/site.ts";
import { formatShortDateTime } from "../../ui/format-date-time.ts";
import { calendarOriginPath } from "./calendar-paths.ts";
import type { CalendarOrigin } from "./calendar-query.ts";
import type { CalendarDayData } from "./calendar.server.ts";

type CanceledVisitsListProps = { days: readonly CalendarDayData[]; origin: CalendarOrigin };

/** Lists the canceled visits of a day or a week, which the hours do not show. Renders nothing when there are none. */
export function CanceledVisitsList({ days, origin }: CanceledVisitsListProps) {
  const { timeZone } = useSite().practice;
  const rows = days.flatMap((each) => each.rows.filter(({ isCancelled }) => isCancelled));
  if (rows.length === 0) return null;
  return (
    <section>
      <h2 className="text-xl">Canceled</h2>
      <ul className="rows mt-2">
        {rows.map(({ id, start, client, title }) => (
          <li key={id} className="row">
            <Link
              to={`${appointmentDetailsPath(id)}${buildReturnPathQuery(calendarOriginPath(origin))}`}
              className="inline-flex min-h-11 items-center font-bold"
            >
              {formatShortDateTime(start, timeZone)}, {client.name}
            </Link>
            <span className="text-muted wrap-anywhere">{title}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
