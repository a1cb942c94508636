import type { ReactNode } from "react";
import { truncateWithEllipsis } from "../excerpt.ts";
import { Badge } from "../ui/badge.tsx";
import { ChevronIcon } from "../ui/icons.tsx";
import { RequestActions } from "./consultation-request-actions.tsx";
import { RequestFacts } from "./request-facts.tsx";
import type { RequestRow } from "./request-rows.ts";

/** Maximum length of a summary line in characters. A screen usually shows fewer. */
const MAX_SUMMARY_LENGTH = 200;

type RequestListItemProps = {
  request: RequestRow;
  /** The query string, including the question mark, for links to dialogs. */
  query: string;
  /** A scheduled request can only be replied to. */
  isOpen?: boolean;
  isExpanded?: boolean;
  /** Shown next to the urgency. */
  badge?: ReactNode;
  /** Shown after the actions. */
  children?: ReactNode;
};

/**
 * Shows a request as one line of a list. When expanded, it shows what is requested, how to reach the sender, and the
 * actions.
 */
export function RequestListItem({ request, query, isOpen = true, isExpanded, badge, children }: RequestListItemProps) {
  return (
    <li>
      <details className="request-line" open={isExpanded}>
        <summary>
          <h3 className="font-text text-base font-bold wrap-anywhere">{request.name}</h3>
          <Badge color={request.badge.color}>{request.badge.label}</Badge>
          {badge}
          {request.isUndelivered && <Badge color="red">Email not delivered</Badge>}
          {isOpen && <span className="text-sm whitespace-nowrap text-muted">{request.waiting}</span>}
          <span className="clip text-muted">{truncateWithEllipsis(request.serviceNeeds, MAX_SUMMARY_LENGTH)}</span>
          <ChevronIcon />
        </summary>
        <RequestFacts request={request} />
        <div className="actions">
          <RequestActions request={request} query={query} isOpen={isOpen} />
          {children}
        </div>
      </details>
    </li>
  );
}
