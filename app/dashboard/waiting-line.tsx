import { useLocation } from "react-router";
import { useSite } from "../practice/site.ts";
import { LinkButton } from "../ui/button.tsx";
import { formatTime } from "../ui/dates.ts";
import { VideoIcon } from "../ui/icons.tsx";
import { useRefreshed } from "./use-refreshed.ts";
import type { waitingNow } from "./waiting-families.server.ts";

type Waiting = Awaited<ReturnType<typeof waitingNow>>;

/** Tells the consultant, above each of her pages, which family sits in the waiting room. */
export function WaitingLine({ waiting }: { waiting: Waiting }) {
  const { timeZone } = useSite().practice;
  const { pathname } = useLocation();
  const { families } = useRefreshed(waiting, "/dashboard/waiting?refresh").current;
  return (
    <div role="status" className="waiting-line">
      {families.map(({ id, name, title, start }) => (
        <div key={id} className="notice flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 wrap-anywhere">
            <strong>{name} is waiting for you.</strong> {title}, {formatTime(start, timeZone)}
          </p>
          {pathname !== `/video-call/${id}` && (
            <LinkButton to={`/video-call/${id}`}>
              <VideoIcon /> Join call now<span className="sr-only"> with {name}</span>
            </LinkButton>
          )}
        </div>
      ))}
    </div>
  );
}
