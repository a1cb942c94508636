import { Link } from "react-router";
import type { RequestRow } from "../../consultation-requests/request-rows.ts";
import { RequestListItem } from "../../consultation-requests/request-list-item.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

type RequestListProps = {
  requests: RequestRow[];
  pendingCount: number;
  /** Number of all pending requests marked emergency or urgent. */
  urgentCount: number;
  filterQuery: string;
};

/**
 * Maximum number of requests on the dashboard. One link leads to all of them, and the urgent ones are also listed under
 * what needs attention.
 */
export const MAX_LISTED_REQUESTS = 5;

/** Shows the first pending consultation requests. */
export function PendingConsultationRequests({
  requests: first,
  pendingCount,
  urgentCount,
  filterQuery,
}: RequestListProps) {
  const requests = first.slice(0, MAX_LISTED_REQUESTS);
  const hiddenUrgentCount = urgentCount - requests.filter(({ badge }) => badge.color !== "grey").length;
  return (
    <div id="requests">
      <Card title="Consultation Requests" action={<LinkButton to="/requests">All requests</LinkButton>}>
        {requests.length === 0 ? (
          <EmptyState illustration="letter" title="No open requests" text="New requests show up here within seconds." />
        ) : (
          <ul className="rows">
            {requests.map((request) => (
              <RequestListItem key={request.id} request={request} query={filterQuery} />
            ))}
          </ul>
        )}
        {pendingCount > requests.length && (
          <p>
            These are the first {requests.length} of {pendingCount}.{" "}
            {hiddenUrgentCount > 0 &&
              `Of the others, ${hiddenUrgentCount} ${hiddenUrgentCount === 1 ? "is" : "are"} marked emergency or urgent. Requests from one network are limited to two rows. `}
            <Link to="/requests?status=open">See all of them</Link>
          </p>
        )}
      </Card>
    </div>
  );
}
