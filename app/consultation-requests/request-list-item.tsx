import type { ReactNode } from "react";
import { excerpt } from "../excerpt.ts";
import { Badge } from "../ui/badge.tsx";
import { ChevronIcon } from "../ui/icons.tsx";
import { RequestActions } from "./request-actions.tsx";
import { RequestFacts } from "./request-facts.tsx";
import type { RequestRow } from "./request-rows.ts";

/** Characters of a line, of which a screen shows fewer. */
const MAX_SUMMARY = 200;

type RequestListItemProps = {
  request: RequestRow;
  /** The query string, with its question mark, for the links to dialogs. */
  query: string;
  /** A scheduled request can only be replied to. */
  isOpen?: boolean;
  isExpanded?: boolean;
  /** Beside the urgency. */
  badge?: ReactNode;
  /** After the actions. */
  children?: ReactNode;
};

/** A request as one line of a list; opened, it shows what is asked for, how to reach the sender, and what can be done. */
export function RequestListItem({ request, query, isOpen = true, isExpanded, badge, children }: RequestListItemProps) {
  return (
    <li>
      <details className="request-line" open={isExpanded}>
        <summary>
          <h3 className="font-text text-base font-bold wrap-anywhere">{request.name}</h3>
          <Badge tone={request.badge.tone}>{request.badge.label}</Badge>
          {badge}
          {request.isUndelivered && <Badge tone="red">Email not delivered</Badge>}
          {isOpen && <span className="text-sm whitespace-nowrap text-muted">{request.waiting}</span>}
          <span className="clip text-muted">{excerpt(request.serviceNeeds, MAX_SUMMARY)}</span>
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
