import { useSite } from "../practice/site.ts";
import { Badge } from "../ui/badge.tsx";
import { When } from "../ui/when.tsx";
import type { RequestRow } from "./request-rows.ts";

/** Sender, urgency and needs of a request. */
export function RequestFacts({ request, titleAs: Title }: { request: RequestRow; titleAs: "h2" | "h3" }) {
  const { timeZone } = useSite().practice;
  return (
    <div className="min-w-0 flex-1 basis-72 space-y-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Title className="text-lg wrap-anywhere">{request.name}</Title>
        <Badge tone={request.badge.tone}>{request.badge.label}</Badge>
      </div>
      <p className="wrap-anywhere whitespace-pre-line">{request.serviceNeeds}</p>
      {request.message && <p className="wrap-anywhere whitespace-pre-line text-muted">{request.message}</p>}
      <p className="flex flex-wrap gap-x-4 text-muted wrap-anywhere">
        <span className="min-w-0">{request.email}</span> {request.phone && <span>{request.phone}</span>}
      </p>
      <p className="text-muted">
        Asked <When instant={request.requestedAt} zone={timeZone} />
      </p>
    </div>
  );
}
