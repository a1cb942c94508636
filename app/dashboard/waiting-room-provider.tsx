import { type ReactNode, useMemo } from "react";
import { useLocation } from "react-router";
import { useSite } from "../practice/site.ts";
import { LinkButton } from "../ui/button.tsx";
import { formatTimeWithZone } from "../ui/dates.ts";
import { VideoIcon } from "../ui/icons.tsx";
import { WaitingRoomVisitsContext } from "../video/waiting-room-visits-context.ts";
import { usePolledData } from "./use-polled-data.ts";
import type { loadFamiliesInWaitingRoom } from "./families-in-waiting-room.server.ts";

type WaitingRoomData = Awaited<ReturnType<typeof loadFamiliesInWaitingRoom>>;

/** Shows the administrator, above each page but the visit's own, which family is in the waiting room. */
export function WaitingRoomProvider({ waitingRoom, children }: { waitingRoom: WaitingRoomData; children: ReactNode }) {
  const { timeZone } = useSite().practice;
  const { pathname } = useLocation();
  const { families } = usePolledData(waitingRoom, "/dashboard/waiting?refresh").current;
  const appointmentIds = useMemo(() => families.map(({ id }) => id), [families]);
  const otherFamilies = families.filter(({ id }) => pathname !== `/video-call/${id}`);
  return (
    <WaitingRoomVisitsContext value={appointmentIds}>
      <div role="status" className="waiting-line">
        {otherFamilies.map(({ id, name, title, start }) => (
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
    </WaitingRoomVisitsContext>
  );
}
