import { Link } from "react-router";
import type { RequestRow } from "../../consultations/request-rows.ts";
import { RequestLine } from "../../consultations/request-line.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

type RequestListProps = {
  requests: RequestRow[];
  pendingCount: number;
  /** marked emergency or urgent, and not among `requests` */
  hiddenUrgentCount: number;
  filterQuery: string;
};

/** The pending consultation requests. */
export function PendingRequests({ requests, pendingCount, hiddenUrgentCount, filterQuery }: RequestListProps) {
  return (
    <div id="requests">
      <Card title="Consultation Requests" action={<LinkButton to="/requests">All requests</LinkButton>}>
        {requests.length === 0 ? (
          <EmptyState illustration="letter" title="No open requests" text="New requests show up here within seconds." />
        ) : (
          <ul className="rows">
            {requests.map((request) => (
              <RequestLine key={request.id} request={request} query={filterQuery} />
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
