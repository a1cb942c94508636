import { Link } from "react-router";
import { appointmentDetailsPath } from "../../booking/paths.ts";
import { SHORT_VISIT_KIND_LABELS } from "../../booking/visit-kind.ts";
import { useSite } from "../../practice/site.ts";
import { Badge } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { formatDateTime, formatTime } from "../../ui/dates.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { VideoIcon } from "../../ui/icons.tsx";
import { SeparatedList } from "../../ui/separated-list.tsx";
import { useCurrentTime } from "../../ui/use-current-time.ts";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { loadAdminOverview } from "./admin-overview.server.ts";
import type { TodayVisit } from "./today.server.ts";
import { formatCount } from "../../format-count.ts";

type Today = Awaited<ReturnType<typeof loadAdminOverview>>["today"];
type TodayProps = { today: Today; query: string };

/** Shows the running and the next visits, the most important part of the dashboard. */
export function CurrentAndNextVisits({ today, asOf, query }: TodayProps & { asOf: string }) {
  const { visits, unfinished, running, next, later } = today;
  const remaining = running.length + (next ? 1 : 0) + later.length;
  const primaryId = findPrimaryAction([...unfinished, ...running, next].filter((visit) => visit !== null));
  const notFinished = unfinished.length > 0 && (
    <section>
      <h3 className="day-heading">Not finished yet</h3>
      <Visits visits={unfinished} query={query} primaryId={primaryId} />
    </section>
  );
  return (
    <Card
      title="Today"
      className="today-current"
      action={
        <p className="text-sm text-muted">
          {today.title}
          {visits > 0 && ` · ${formatCount(visits, "visit")}, ${remaining === 0 ? "all done" : `${remaining} to go`}`}
        </p>
      }
    >
      {running.length === 0 && notFinished}
      <NowLine asOf={asOf} />
      {running.length > 0 && <Visits visits={running} query={query} primaryId={primaryId} />}
      {running.length > 0 && notFinished}
      {next && (
        <section>
          <h3 className="day-heading">Next</h3>
          <Visits visits={[next]} query={query} primaryId={primaryId} />
        </section>
      )}
      {visits === 0 && (
        <EmptyState
          illustration="calendar"
          title="No visits today"
          text="Enjoy the quiet, or catch up on what is below."
        />
      )}
      {today.nextDay && <NextDay visit={today.nextDay} query={query} />}
    </Card>
  );
}

/**
 * Returns the visit with the card's only primary button: a call that can be entered, otherwise one without a status.
 */
function findPrimaryAction(visits: readonly TodayVisit[]): number | undefined {
  const call = visits.find(({ isRoomOpen, callLabel, needsOutcome }) => isRoomOpen && callLabel && !needsOutcome);
  return (call ?? visits.find(({ needsOutcome }) => needsOutcome))?.id;
}

/** Shows the remaining visits of the day. Renders nothing when there are none. */
export function OtherVisitsToday({ today, query }: TodayProps) {
  const { later, earlier } = today;
  if (later.length + earlier.length === 0) return null;
  return (
    <Card title={later.length > 0 ? "Later today" : "Earlier today"} className="today-other">
      {later.length > 0 && <Visits visits={later} query={query} />}
      {earlier.length > 0 && (
        <section>
          {later.length > 0 && <h3 className="day-heading">Earlier today</h3>}
          <Visits visits={earlier} query={query} />
        </section>
      )}
    </Card>
  );
}

/** Shows the current time as a line above the visits. A script updates it. */
function NowLine({ asOf }: { asOf: string }) {
  const { timeZone } = useSite().practice;
  const time = useCurrentTime(asOf);
  return (
    <p className="now-line">
      <span>
        Now <time dateTime={time}>{formatTime(time, timeZone)}</time>
      </span>
    </p>
  );
}

function NextDay({ visit, query }: { visit: NonNullable<Today["nextDay"]>; query: string }) {
  const { timeZone } = useSite().practice;
  return (
    <p>
      Next visit: <Link to={`${appointmentDetailsPath(visit.id)}${query}`}>{visit.client.name}</Link>,{" "}
      <ZonedTime instant={visit.start} zone={timeZone} inSentence />
    </p>
  );
}

type VisitsProps = { visits: readonly TodayVisit[]; query: string; primaryId?: number };

function Visits({ visits, query, primaryId }: VisitsProps) {
  return (
    <ol className="day-visits">
      {visits.map((visit) => (
        <Visit key={visit.id} visit={visit} query={query} isPrimary={visit.id === primaryId} />
      ))}
    </ol>
  );
}

function Visit({ visit, query, isPrimary }: { visit: TodayVisit; query: string; isPrimary: boolean }) {
  const { timeZone } = useSite().practice;
  const { id, client, child, timeStatus, visitKind: place } = visit;
  const detailsPath = `${appointmentDetailsPath(id)}${query}`;
  const withWhom = (
    <span className="sr-only">
      {" "}
      with {client.name}, {formatTime(visit.start, timeZone)}, today
    </span>
  );
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
        {timeStatus === "now" && <Badge tone="green">Now</Badge>}
        {timeStatus === "past" && <Badge tone={visit.badge.tone}>{visit.badge.label}</Badge>}
      </p>
      <div className="min-w-0">
        <p className="day-visit-name">
          <Link to={detailsPath} preventScrollReset className="font-bold wrap-anywhere">
            {client.name}
            <span className="sr-only">, {formatDateTime(visit.start, timeZone)}, details</span>
          </Link>{" "}
          {visit.isFirstVisit && <Badge tone="blue">first visit</Badge>}{" "}
          {child && <span className="clip">{describeChild(child)}</span>}
        </p>
        <p className="text-sm text-muted">
          <SeparatedList
            items={[
              <span key="place">
                {place === "video" && <VideoIcon className="inline size-5 align-[-0.25em]" />}{" "}
                {SHORT_VISIT_KIND_LABELS[place]}
                {visit.lacksAccountForVideo && ", no account yet"}
              </span>,
              visit.title,
              visit.pendingNotificationText && <strong key="unknown">{visit.pendingNotificationText}</strong>,
              visit.dueCents > 0 ? (
                <Link
                  key="due"
                  className="py-0.5 font-bold text-warn underline"
                  to={`${appointmentDetailsPath(id)}/payment${query}`}
                  preventScrollReset
                >
                  {visit.money?.replace("still ", "")}
                  <span className="sr-only">
                    , payment of {client.name}, {formatTime(visit.start, timeZone)}
                  </span>
                </Link>
              ) : (
                visit.money
              ),
              child ? (
                <Link
                  key="intake"
                  className="py-0.5 text-primary underline"
                  to={`/dashboard/intake-form?userId=${client.id}`}
                  preventScrollReset
                >
                  Intake<span className="sr-only"> form of {client.name}</span>
                </Link>
              ) : (
                "no intake form"
              ),
              visit.canCancel && (
                <Link
                  key="move"
                  className="py-0.5 text-primary underline"
                  to={`${appointmentDetailsPath(id)}/reschedule${query}`}
                  preventScrollReset
                >
                  Move
                  <span className="sr-only">
                    {" "}
                    the visit of {client.name}, {formatTime(visit.start, timeZone)}
                  </span>
                </Link>
              ),
              client.id !== null && (
                <Link key="note" className="py-0.5 text-primary underline" to={`/families/${client.id}#new-note`}>
                  Note<span className="sr-only"> about {client.name}</span>
                </Link>
              ),
            ]}
          />
        </p>
      </div>
      {(visit.isRoomOpen || visit.needsOutcome) && (
        <div className="day-visit-actions actions">
          {visit.needsOutcome && (
            <LinkButton
              to={`${appointmentDetailsPath(id)}/after${query}`}
              variant={isPrimary ? "primary" : "secondary"}
              preventScrollReset
            >
              Finish visit
              {withWhom}
            </LinkButton>
          )}
          {visit.isRoomOpen && visit.callLabel && (
            <LinkButton
              to={`/video-call/${id}`}
              variant={visit.needsOutcome ? "quiet" : isPrimary ? "primary" : "secondary"}
            >
              <VideoIcon /> {visit.callLabel}
              {withWhom}
            </LinkButton>
          )}
        </div>
      )}
    </li>
  );
}

function describeChild({ name, age, diagnosis }: NonNullable<TodayVisit["child"]>): string {
  return `${name}, ${age}${diagnosis ? ` · ${diagnosis}` : ""}`;
}
