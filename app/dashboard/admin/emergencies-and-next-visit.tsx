import { Link } from "react-router";
import { appointmentDetailsPath } from "../../booking/appointment-paths.ts";
import { SHORT_VISIT_KIND_LABELS } from "../../booking/visit-kind.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { useSite } from "../../practice/site.ts";
import { formatTime } from "../../ui/format-date-time.ts";
import { SeparatedList } from "../../ui/separated-list.tsx";
import type { loadAdminOverview } from "./admin-overview.server.ts";

/** So many rows above the next visit leave room for it on a wide first screen. */
const MAX_ROWS_ABOVE_NEXT = 2;

type DaySummaryProps = {
  today: Awaited<ReturnType<typeof loadAdminOverview>>["today"];
  /** Number of open requests marked emergency. */
  emergencies: number;
  hasWarnings: boolean;
  query: string;
};

/**
 * Shows the number of emergencies on a phone, and the next visit where other content moves it off the first screen: on
 * a phone any row or warning above it, on a wide screen more of them.
 */
export function EmergenciesAndNextVisit({
  today: { next, running, unfinished },
  emergencies,
  hasWarnings,
  query,
}: DaySummaryProps) {
  const { timeZone } = useSite().practice;
  const rowsAbove = running.length + unfinished.length;
  const shown = hasWarnings || rowsAbove > 0 ? next : null;
  if (!shown && emergencies === 0) return null;
  const isForAllWidths = shown && (hasWarnings || rowsAbove > MAX_ROWS_ABOVE_NEXT);
  return (
    <p className={`day-summary ${isForAllWidths ? "" : "is-narrow-only"}`.trim()}>
      {emergencies > 0 && (
        <Link to={`/dashboard${query}#requests`} className="link-target font-bold text-danger">
          {formatCountWithNoun(emergencies, "emergency", "emergencies")}
        </Link>
      )}
      {shown && (
        <span>
          Next{" "}
          <Link
            to={`${appointmentDetailsPath(shown.id)}${query}`}
            preventScrollReset
            className="link-target font-bold wrap-anywhere"
          >
            {formatTime(shown.start, timeZone)} {shown.client.name}
          </Link>{" "}
          <SeparatedList
            items={[
              SHORT_VISIT_KIND_LABELS[shown.visitKind],
              shown.isFirstVisit && "first visit",
              shown.unpaidCents > 0 && shown.money,
            ]}
          />
        </span>
      )}
    </p>
  );
}
