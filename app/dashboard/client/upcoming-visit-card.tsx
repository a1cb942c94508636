import { Link } from "react-router";
import { MoveByPhoneNotice } from "../../booking/move/move-by-phone-notice.tsx";
import {
  bookingConfirmationPath,
  calendarFilePath,
  deviceCheckPath,
  familyMovePath,
} from "../../booking/appointment-paths.ts";
import { VisitTime } from "../../booking/visit-time.tsx";
import { TextWithPhone } from "../../practice/text-with-phone.tsx";
import { useSite } from "../../practice/site.ts";
import { ROOM_LINK_LABELS } from "../../booking/room-hours.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { formatDateTime, formatTimeWithZone } from "../../ui/format-date-time.ts";
import { CalendarIcon, VideoIcon } from "../../ui/icons.tsx";
import type { ClientOverview } from "./client-dashboard.tsx";

type NextVisitData = NonNullable<ClientOverview["next"]>;

/** Shows the next visit: its time, how to meet, and the possible actions. */
export function UpcomingVisitCard({ visit }: { visit: NextVisitData }) {
  const { timeZone } = useSite().practice;
  const label = `${visit.title}, ${formatDateTime(visit.start, timeZone)}`;
  return (
    <Card title={visit.isNow ? "Your visit now" : "Your next visit"} className="next-visit">
      <div>
        <VisitTime start={visit.start} end={visit.end} />
        <p className="wrap-anywhere">
          <Link to={bookingConfirmationPath(visit.id)} className="link-target">
            {visit.title}
          </Link>
        </p>
        <p className="text-muted wrap-anywhere">
          <MeetingInstructions visit={visit} />
        </p>
        {visit.isMovableByPhoneOnly && <MoveByPhoneNotice />}
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
        {visit.kind === "video" && (
          <LinkButton to={deviceCheckPath(visit.id)} className="scripted max-sm:w-full">
            Check your camera and sound
          </LinkButton>
        )}
        {visit.canMove && (
          <LinkButton to={familyMovePath(visit.id)} variant="quiet" className="-ml-3">
            Move this visit<span className="sr-only"> {label}</span>
          </LinkButton>
        )}
      </p>
    </Card>
  );
}

type JoinableVisitProps = {
  visit: ClientOverview["joinable"][number];
  /** Whether the family has just left the room. */
  hasJustLeft: boolean;
};

/** Shows a video visit that can be joined now, instead of the next one. */
export function JoinableVisitCard({ visit: { id, title, start, end, entry }, hasJustLeft }: JoinableVisitProps) {
  const isNow = entry === "join-now";
  return (
    <Card
      title={hasJustLeft ? "You left the room" : isNow ? "Happening now" : "Starting soon"}
      className="next-visit notice-card"
    >
      <div>
        <VisitTime start={start} end={end} />
        <p className="wrap-anywhere">
          <Link to={bookingConfirmationPath(id)} className="link-target">
            {title}
          </Link>
        </p>
      </div>
      <p>
        <LinkButton variant="primary" to={`/video-call/${id}`} className="max-sm:w-full">
          <VideoIcon /> {hasJustLeft ? "Rejoin" : ROOM_LINK_LABELS[entry]}
        </LinkButton>
      </p>
    </Card>
  );
}

function MeetingInstructions({ visit: { kind, roomOpensAt, place } }: { visit: NextVisitData }) {
  const { timeZone } = useSite().practice;
  if (kind === "video")
    return `Video visit. The Waiting Room button appears here at ${formatTimeWithZone(roomOpensAt, timeZone)}.`;
  return kind === "link" ? "Online meeting, on your meeting link." : <TextWithPhone text={place} />;
}
