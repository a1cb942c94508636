import { Link } from "react-router";
import { appointmentDetailsPath } from "../../booking/appointment-paths.ts";
import { useSite } from "../../practice/site.ts";
import { Card } from "../../ui/card.tsx";
import { formatTime } from "../../ui/format-date-time.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useCurrentTime } from "../../ui/use-current-time.ts";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { loadAdminOverview } from "./admin-overview.server.ts";
import type { TodayVisit } from "./todays-visits.server.ts";
import { TodayVisitList } from "./today-visit-list.tsx";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";

type Today = Awaited<ReturnType<typeof loadAdminOverview>>["today"];
/** More visits without a status than these are folded, so that the next visit stays on the first screen. */
const MAX_UNFINISHED_SHOWN = 2;

type TodayProps = { today: Today; query: string };

/** Shows the running and the next visits, the most important part of the dashboard. */
export function CurrentAndNextVisits({ today, asOf, query }: TodayProps & { asOf: string }) {
  const { visitCount, unfinished, running, next, later } = today;
  const remaining = running.length + (next ? 1 : 0) + later.length;
  const latestUnfinished = unfinished.slice(-MAX_UNFINISHED_SHOWN);
  const primaryId = findPrimaryActionVisitId([...latestUnfinished, ...running, next].filter((visit) => visit !== null));
  // One element with a key, so that it stays open when it changes its place.
  const unfinishedRows = unfinished.length > 0 && (
    <section key="unfinished">
      <h3 className="day-heading">Not finished yet</h3>
      <EarlierUnfinishedVisits visits={unfinished.slice(0, -MAX_UNFINISHED_SHOWN)} query={query} />
      <TodayVisitList visits={latestUnfinished} query={query} primaryId={primaryId} />
    </section>
  );
  const currentRows = [
    <NowLine key="now" asOf={asOf} />,
    running.length > 0 && <TodayVisitList key="running" visits={running} query={query} primaryId={primaryId} />,
  ];
  return (
    <Card
      title="Today"
      className="today-current"
      action={
        <p className="text-sm text-muted">
          {today.title}
          {visitCount > 0 &&
            ` · ${formatCountWithNoun(visitCount, "visit")}, ${progressText(remaining, unfinished.length)}`}
        </p>
      }
    >
      {running.length > 0 ? [...currentRows, unfinishedRows] : [unfinishedRows, ...currentRows]}
      {next && (
        <section>
          <h3 className="day-heading">Next</h3>
          <TodayVisitList visits={[next]} query={query} primaryId={primaryId} />
        </section>
      )}
      {visitCount === 0 && (
        <EmptyState
          illustration="calendar"
          title="No visits today"
          text="Enjoy the quiet, or catch up on what is below."
        />
      )}
      {today.firstLaterVisit && <FirstVisitAfterToday visit={today.firstLaterVisit} query={query} />}
    </Card>
  );
}

function EarlierUnfinishedVisits({ visits, query }: { visits: readonly TodayVisit[]; query: string }) {
  if (visits.length === 0) return null;
  return (
    <details className="disclosure">
      <summary>{formatCountWithNoun(visits.length, "earlier visit")}</summary>
      <TodayVisitList visits={visits} query={query} />
    </details>
  );
}

function progressText(remaining: number, unfinished: number): string {
  if (remaining > 0) return `${remaining} to go`;
  return unfinished > 0 ? `${unfinished} to finish` : "all done";
}

/**
 * Returns the visit with the card's only primary button: a call or an online meeting that can be entered, otherwise one
 * without a status.
 */
function findPrimaryActionVisitId(visits: readonly TodayVisit[]): number | undefined {
  const enterableVisit = visits.find(
    ({ isRoomOpen, callLabel, offeredMeetingLink, needsOutcome }) =>
      !needsOutcome && ((isRoomOpen && callLabel) || offeredMeetingLink),
  );
  return (enterableVisit ?? visits.find(({ needsOutcome }) => needsOutcome))?.id;
}

/** Shows the remaining visits of the day. Renders nothing when there are none. */
export function OtherVisitsToday({ today, query }: TodayProps) {
  const { later, earlier } = today;
  if (later.length + earlier.length === 0) return null;
  return (
    <div className="today-other">
      {later.length > 0 && (
        <Card title="Later today">
          <TodayVisitList visits={later} query={query} />
        </Card>
      )}
      {earlier.length > 0 && (
        <Card title="Earlier today">
          <TodayVisitList visits={earlier} query={query} />
        </Card>
      )}
    </div>
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

function FirstVisitAfterToday({ visit, query }: { visit: NonNullable<Today["firstLaterVisit"]>; query: string }) {
  const { timeZone } = useSite().practice;
  return (
    <p>
      Next visit: <Link to={`${appointmentDetailsPath(visit.id)}${query}`}>{visit.client.name}</Link>,{" "}
      <ZonedTime instant={visit.start} zone={timeZone} inSentence />
    </p>
  );
}
