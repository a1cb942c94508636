import { useSite } from "../practice/site.ts";
import { phoneHref } from "../practice/site-links.ts";
import { Badge } from "../ui/badge.tsx";
import { ZonedTime } from "../ui/zoned-time.tsx";
import type { RequestRow } from "./request-rows.ts";

type RequestFactsProps = {
  request: RequestRow;
  /** Heading level. When set, the name and the urgency are shown too. */
  titleAs?: "h3" | "h4";
};

/** Shows what a request asks for, how to reach its sender, and when it was sent. */
export function RequestFacts({ request, titleAs: Title }: RequestFactsProps) {
  const { timeZone } = useSite().practice;
  return (
    <div className="min-w-0 flex-1 basis-72 space-y-1">
      {Title && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Title className="text-lg wrap-anywhere">{request.name}</Title>
          <Badge color={request.badge.color}>{request.badge.label}</Badge>
        </div>
      )}
      <p className="wrap-anywhere whitespace-pre-line">{request.serviceNeeds}</p>
      {request.message && <p className="wrap-anywhere whitespace-pre-line text-muted">{request.message}</p>}
      <p className="flex flex-wrap gap-x-4 wrap-anywhere">
        {request.email && (
          <a className="link-target min-w-0" href={`mailto:${encodeURIComponent(request.email)}`}>
            {request.email}
          </a>
        )}
        {request.phone && (
          <a className="link-target" href={phoneHref(request.phone)}>
            {request.phone}
          </a>
        )}
      </p>
      <p className="text-muted">
        {request.isEntered ? "Entered by you" : "Sent"} <ZonedTime instant={request.requestedAt} zone={timeZone} />
      </p>
    </div>
  );
}
