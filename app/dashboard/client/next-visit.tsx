import { Link } from "react-router";
import { bookedPath, calendarFilePath, moveAppointmentPath } from "../../booking/paths.ts";
import { VisitTime } from "../../booking/visit-time.tsx";
import { LOCATION } from "../../practice/site-content.ts";
import { useSite } from "../../practice/site.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { formatDateTime, formatTimeWithZone } from "../../ui/dates.ts";
import { CalendarIcon } from "../../ui/icons.tsx";
import type { ClientOverview } from "./client-dashboard.tsx";

type NextVisitData = NonNullable<ClientOverview["next"]>;

/** The visit that comes next: when, how to meet, and what can be done with it. */
export function NextVisit({ visit }: { visit: NextVisitData }) {
  const { timeZone } = useSite().practice;
  const label = `${visit.title}, ${formatDateTime(visit.start, timeZone)}`;
  return (
    <Card title={visit.isNow ? "Your visit now" : "Your next visit"} className="next-visit">
      <div>
        <VisitTime start={visit.start} end={visit.end} />
        <p className="wrap-anywhere">
          <Link to={bookedPath(visit.id)}>{visit.title}</Link>
        </p>
        <p className="text-muted">
          <HowToMeet visit={visit} />
        </p>
      </div>
      <p className="actions">
        {visit.kind === "link" && visit.meetingLink && (
          <LinkButton
            href={visit.meetingLink}
            variant="primary"
            target="_blank"
            rel="noopener noreferrer"
            className="max-sm:w-full"
          >
            Join Meeting<span className="sr-only"> of {label} (opens in a new tab)</span>
          </LinkButton>
        )}
        <LinkButton href={calendarFilePath(visit.id)} className="max-sm:w-full">
          <CalendarIcon /> Add to calendar<span className="sr-only">: {label}</span>
        </LinkButton>
        {visit.canMove && (
          <LinkButton to={moveAppointmentPath(visit.id)} variant="quiet">
            Move<span className="sr-only"> {label}</span>
          </LinkButton>
        )}
      </p>
    </Card>
  );
}

function HowToMeet({ visit: { kind, roomOpensAt } }: { visit: NextVisitData }) {
  const { timeZone } = useSite().practice;
  if (kind === "video")
    return `Video visit. The Waiting Room button appears here at ${formatTimeWithZone(roomOpensAt, timeZone)}.`;
  return kind === "link" ? "Online meeting, on your meeting link." : `In person, ${LOCATION} area.`;
}
