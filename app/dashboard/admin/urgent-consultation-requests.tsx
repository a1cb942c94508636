import { Link } from "react-router";
import { ReplyToRequestButton } from "../../consultation-requests/consultation-request-actions.tsx";
import type { RequestRow } from "../../consultation-requests/request-rows.ts";
import { phoneHref } from "../../practice/site-links.ts";
import { LinkButton } from "../../ui/button.tsx";
import { AttentionGroup, AttentionRow } from "./attention-row.tsx";

type UrgentRequestsProps = {
  /** The first of the open requests marked emergency or urgent. */
  requests: readonly RequestRow[];
  /** Number of all of them. */
  count: number;
  query: string;
};

/** Shows the first of the open requests marked emergency or urgent, and leads to the others. */
export function UrgentConsultationRequests({ requests, count, query }: UrgentRequestsProps) {
  return (
    <AttentionGroup
      title="Urgent requests"
      count={count}
      isUrgent
      more={{
        to: "/requests?status=open",
        shown: requests.length,
        nouns: ["more urgent request", "more urgent requests"],
      }}
    >
      {requests.map((request) => (
        <AttentionRow key={request.id} badge={request.badge.label} color={request.badge.color} isStacked>
          <Link to={`/dashboard/requests/${request.id}/schedule${query}`} preventScrollReset>
            {request.name}
            <span className="sr-only">: schedule a consultation</span>
          </Link>
          <span className="clip clip-2 text-muted">{request.serviceNeeds}</span>
          <span className="actions">
            <LinkButton to={`/dashboard/requests/${request.id}/schedule${query}`} preventScrollReset>
              Schedule
              <span className="sr-only">
                {" "}
                a consultation with {request.name}, request {request.id}
              </span>
            </LinkButton>
            <ReplyToRequestButton request={request}>Contact</ReplyToRequestButton>
            {request.phone && <a href={phoneHref(request.phone)}>{request.phone}</a>}
          </span>
        </AttentionRow>
      ))}
    </AttentionGroup>
  );
}
