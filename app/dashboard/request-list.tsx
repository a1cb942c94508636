import type { RequestRow } from "../consultations/request-rows.ts";
import { RequestActions } from "../consultations/request-actions.tsx";
import { RequestFacts } from "../consultations/request-facts.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

type RequestListProps = {
  requests: RequestRow[];
  pendingCount: number;
  /** marked emergency or urgent, and not among `requests` */
  pressingLater: number;
  filterQuery: string;
};

/** The pending consultation requests. */
export function RequestList({ requests, pendingCount, pressingLater, filterQuery }: RequestListProps) {
  return (
    <div id="requests">
      <Card title="Consultation Requests" action={<LinkButton to="/requests">All requests</LinkButton>}>
        {requests.length === 0 ? (
          <EmptyState illustration="letter" title="No open requests" text="New requests show up here within seconds." />
        ) : (
          <ul className="rows">
            {requests.map((request) => (
              <li key={request.id} className="row items-start">
                <RequestFacts request={request} titleAs="h3" />
                <div className="actions mt-1 w-full">
                  <RequestActions request={request} query={filterQuery} />
                </div>
              </li>
            ))}
          </ul>
        )}
        {pendingCount > requests.length && (
          <p>
            These are the first {requests.length} of {pendingCount}.{" "}
            {pressingLater > 0 &&
              `Of the others, ${pressingLater} ${pressingLater === 1 ? "is" : "are"} marked emergency or urgent. Many requests from one place share two rows. `}
            <LinkButton to="/requests?status=open">See all of them</LinkButton>
          </p>
        )}
      </Card>
    </div>
  );
}
