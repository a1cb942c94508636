import { Link } from "react-router";
import { appointmentDetailsPath } from "../../booking/paths.ts";
import { SHORT_VISIT_KIND_LABELS } from "../../booking/visit-kind.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { useSite } from "../../practice/site.ts";
import { formatTime } from "../../ui/dates.ts";
import { SeparatedList } from "../../ui/separated-list.tsx";
import type { loadAdminOverview } from "./admin-overview.server.ts";

type FirstLineProps = {
  today: Awaited<ReturnType<typeof loadAdminOverview>>["today"];
  /** Number of open requests marked emergency. */
  emergencies: number;
  hasWarnings: boolean;
  query: string;
};

/**
 * Shows the next visit and the number of emergencies on a phone. The next visit is included only if other content moves
 * it off the first screen.
 */
export function MobileSummary({
  today: { next, running, unfinished },
  emergencies,
  hasWarnings,
  query,
}: FirstLineProps) {
  const { timeZone } = useSite().practice;
  const isNextBelow = hasWarnings || running.length + unfinished.length > 0;
  const shown = isNextBelow ? next : null;
  if (!shown && emergencies === 0) return null;
  return (
    <p className="mobile-summary">
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
