import { Link } from "react-router";
import {
  appointmentDetailsPath,
  familyIntakeFormPath,
  newNotePath,
  adminReschedulePath,
} from "../../booking/appointment-paths.ts";
import { SHORT_VISIT_KIND_LABELS } from "../../booking/visit-kind.ts";
import { useSite } from "../../practice/site.ts";
import { Badge } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { formatDateTime, formatTime } from "../../ui/format-date-time.ts";
import { VideoIcon } from "../../ui/icons.tsx";
import { SeparatedList } from "../../ui/separated-list.tsx";
import type { TodayVisit } from "./todays-visits.server.ts";

type VisitsProps = { visits: readonly TodayVisit[]; query: string; primaryId?: number };

/** Shows visits of today. `primaryId` is the visit whose action is the primary one. */
export function TodayVisitList({ visits, query, primaryId }: VisitsProps) {
  return (
    <ol className="day-visits">
      {visits.map((visit) => (
        <TodayVisitItem key={visit.id} visit={visit} query={query} isPrimary={visit.id === primaryId} />
      ))}
    </ol>
  );
}

type VisitProps = { visit: TodayVisit; query: string };

function TodayVisitItem({ visit, query, isPrimary }: VisitProps & { isPrimary: boolean }) {
  const { timeZone } = useSite().practice;
  const { id, client, child, timeStatus } = visit;
  return (
    <li className={`day-visit ${timeStatus === "now" ? "is-running" : ""}`}>
      <p className="day-visit-time">
        <span>
          <time dateTime={visit.start} className="whitespace-nowrap">
            {formatTime(visit.start, timeZone)}
          </time>
          <span className="day-visit-end">
            –<time dateTime={visit.end}>{formatTime(visit.end, timeZone)}</time>
          </span>
        </span>
        {timeStatus === "now" && <Badge color="green">Now</Badge>}
        {timeStatus === "past" && <Badge color={visit.badge.color}>{visit.badge.label}</Badge>}
      </p>
      <div className="day-visit-name">
        <Link to={`${appointmentDetailsPath(id)}${query}`} preventScrollReset className="font-bold wrap-anywhere">
          {client.name}
          <span className="sr-only">, {formatDateTime(visit.start, timeZone)}, details</span>
        </Link>{" "}
        {visit.isFirstVisit && <Badge color="blue">first visit</Badge>}{" "}
        {child && <p className="min-w-0 wrap-anywhere">{describeChild(child)}</p>}
      </div>
      <p className="day-visit-facts">
        <TodayVisitFacts visit={visit} query={query} />
      </p>
      <div className="day-visit-foot">
        <TodayVisitLinks visit={visit} query={query} />
        <TodayVisitActions visit={visit} query={query} isPrimary={isPrimary} />
      </div>
    </li>
  );
}

function TodayVisitFacts({ visit, query }: VisitProps) {
  const { timeZone } = useSite().practice;
  const { id, client, child, visitKind } = visit;
  return (
    <SeparatedList
      items={[
        <span key="kind">
          {visitKind === "video" && <VideoIcon className="inline size-5 align-[-0.25em]" />}{" "}
          {SHORT_VISIT_KIND_LABELS[visitKind]}
          {visit.offeredMeetingLink && (
            // The family may have typed the link.
            <span className="wrap-anywhere">: {new URL(visit.offeredMeetingLink).host}</span>
          )}
          {visit.ownPlace && <span className="wrap-anywhere">, {visit.ownPlace}</span>}
          {visit.lacksAccountForVideo && ", no account yet"}
        </span>,
        visit.title,
        visit.exceedsServiceDuration && "longer than sold",
        visit.pendingNotificationText && <strong key="unknown">{visit.pendingNotificationText}</strong>,
        visit.unpaidCents > 0 ? (
          <Link
            key="unpaid"
            className={`py-0.5 underline ${visit.dueCents > 0 ? "font-bold text-warn" : "text-primary"}`}
            to={`${appointmentDetailsPath(id)}/payment${query}`}
            preventScrollReset
          >
            {visit.money}
            <span className="sr-only">
              , payment of {client.name}, {formatTime(visit.start, timeZone)}
            </span>
          </Link>
        ) : (
          visit.money
        ),
        !child && "no intake form",
      ]}
    />
  );
}

/** Shows the links to the intake form, the move and a new note. */
function TodayVisitLinks({ visit: { id, client, child, start, canCancel }, query }: VisitProps) {
  const { timeZone } = useSite().practice;
  const className = "py-0.5 text-primary underline";
  const links = [
    child && client.id !== null && (
      <Link key="intake" className={className} to={familyIntakeFormPath(client.id, query)} preventScrollReset>
        Intake<span className="sr-only"> form of {client.name}</span>
      </Link>
    ),
    canCancel && (
      <Link key="move" className={className} to={`${adminReschedulePath(id)}${query}`} preventScrollReset>
        Move
        <span className="sr-only">
          {" "}
          the visit of {client.name}, {formatTime(start, timeZone)}
        </span>
      </Link>
    ),
    client.id !== null && (
      <Link key="note" className={className} to={newNotePath(client.id, id)}>
        Note<span className="sr-only"> about {client.name}</span>
      </Link>
    ),
  ];
  return (
    links.some(Boolean) && (
      <p className="day-visit-links">
        <SeparatedList items={links} />
      </p>
    )
  );
}

/** Shows how to enter the visit and how to finish it. The latter comes last, so that it is aligned in all rows. */
function TodayVisitActions({ visit, query, isPrimary }: VisitProps & { isPrimary: boolean }) {
  const { timeZone } = useSite().practice;
  const { id, client, needsOutcome, isOngoing, isRoomOpen, callLabel, offeredMeetingLink } = visit;
  const isCallOpen = isRoomOpen && callLabel !== null;
  if (!isCallOpen && offeredMeetingLink === null && !needsOutcome && !isOngoing) return null;
  const visitLabel = ` with ${client.name}, ${formatTime(visit.start, timeZone)}, today`;
  const entryVariant = needsOutcome ? "quiet" : isPrimary ? "primary" : "secondary";
  return (
    <div className="day-visit-actions actions">
      {isCallOpen && (
        <LinkButton to={`/video-call/${id}`} variant={entryVariant}>
          <VideoIcon /> {callLabel}
          <span className="sr-only">{visitLabel}</span>
        </LinkButton>
      )}
      {offeredMeetingLink !== null && (
        <LinkButton href={offeredMeetingLink} variant={entryVariant} target="_blank" rel="noopener noreferrer">
          Open meeting link<span className="sr-only">{visitLabel} (opens in a new tab)</span>
        </LinkButton>
      )}
      {(needsOutcome || isOngoing) && (
        <LinkButton
          to={`${appointmentDetailsPath(id)}/after${query}`}
          variant={isPrimary && needsOutcome ? "primary" : "secondary"}
          preventScrollReset
        >
          Finish visit
          <span className="sr-only">{visitLabel}</span>
        </LinkButton>
      )}
    </div>
  );
}

function describeChild({ name, age, diagnosis }: NonNullable<TodayVisit["child"]>): string {
  return `${name}, ${age}${diagnosis ? ` · ${diagnosis}` : ""}`;
}
