import { type ReactNode, useMemo } from "react";
import { useLocation } from "react-router";
import { useSite } from "../practice/site.ts";
import { LinkButton } from "../ui/button.tsx";
import { formatTimeWithZone } from "../ui/dates.ts";
import { VideoIcon } from "../ui/icons.tsx";
import { WaitingVisits } from "../video/waiting-visits.ts";
import { useRefreshed } from "./use-refreshed.ts";
import type { waitingNow } from "./waiting-families.server.ts";

type Waiting = Awaited<ReturnType<typeof waitingNow>>;

/** Tells the consultant, above each of her pages, which family sits in the waiting room. A visit's own page says it itself. */
export function WaitingLine({ waiting, children }: { waiting: Waiting; children: ReactNode }) {
  const { timeZone } = useSite().practice;
  const { pathname } = useLocation();
  const { families } = useRefreshed(waiting, "/dashboard/waiting?refresh").current;
  const visits = useMemo(() => families.map(({ id }) => id), [families]);
  const elsewhere = families.filter(({ id }) => pathname !== `/video-call/${id}`);
  return (
    <WaitingVisits value={visits}>
      <div role="status" className="waiting-line">
        {elsewhere.map(({ id, name, title, start }) => (
          <div key={id} className="notice flex flex-wrap items-center justify-between gap-3">
            <p className="min-w-0 wrap-anywhere">
              <strong>{name} is waiting for you.</strong> {title}, {formatTimeWithZone(start, timeZone)}
            </p>
            <LinkButton to={`/video-call/${id}`}>
              <VideoIcon /> Join call now<span className="sr-only"> with {name}</span>
            </LinkButton>
          </div>
        ))}
      </div>
      {children}
    </WaitingVisits>
  );
}
