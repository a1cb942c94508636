import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useLocation } from "react-router";
import { useSite } from "../practice/site.ts";
import { LinkButton } from "../ui/button.tsx";
import { formatTimeWithZone } from "../ui/dates.ts";
import { VideoIcon } from "../ui/icons.tsx";
import { useTopDialog } from "../ui/top-dialog.ts";
import { WaitingRoomVisitsContext } from "../ui/behaviors/waiting-room-visits-context.ts";
import { usePolledData } from "./use-polled-data.ts";
import type { loadFamiliesInWaitingRoom } from "./families-in-waiting-room.server.ts";

type WaitingRoomData = Awaited<ReturnType<typeof loadFamiliesInWaitingRoom>>;
type WaitingFamily = WaitingRoomData["families"][number];
type WaitingLineProps = { families: readonly WaitingFamily[]; isInPage?: boolean };
type ProviderProps = { waitingRoom: WaitingRoomData; header: ReactNode; children: ReactNode };

/** She may be in another tab when the family arrives. */
const POLLING = { hiddenIntervalMs: 15_000 };

/**
 * Shows the administrator, on each page but the visit's own, which family is in the waiting room: below the header, which
 * stays while the page scrolls, and in a dialog, which covers the page.
 */
export function WaitingRoomProvider({ waitingRoom, header, children }: ProviderProps) {
  const { pathname } = useLocation();
  const { families } = usePolledData(waitingRoom, "/dashboard/waiting?refresh", POLLING).current;
  const appointmentIds = useMemo(() => families.map(({ id }) => id), [families]);
  const otherFamilies = families.filter(({ id }) => pathname !== `/video-call/${id}`);
  const place = useFirstChild(useTopDialog());
  return (
    <WaitingRoomVisitsContext value={appointmentIds}>
      <div className="site-top">
        {header}
        <WaitingLine families={otherFamilies} isInPage />
      </div>
      {place && createPortal(<WaitingLine families={otherFamilies} />, place)}
      {children}
    </WaitingRoomVisitsContext>
  );
}

/** An element at the beginning of a dialog, where a portal would append; null without a dialog. */
function useFirstChild(dialog: HTMLElement | null): HTMLElement | null {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!dialog) return;
    const element = document.createElement("div");
    element.className = "waiting-place";
    dialog.prepend(element);
    setPlace(element);
    return () => {
      setPlace(null);
      element.remove();
    };
  }, [dialog]);
  return place;
}

function WaitingLine({ families, isInPage = false }: WaitingLineProps) {
  const { timeZone } = useSite().practice;
  const line = useRef<HTMLDivElement>(null);
  const height = useRef<number>(null);

  // A browser keeps what is being read in its place when something is added above, but not at the top of a page.
  useEffect(() => {
    const before = height.current;
    height.current = line.current?.offsetHeight ?? 0;
    if (!isInPage || before === null || height.current <= before) return;
    if (window.scrollY === 0 || !CSS.supports("overflow-anchor", "none")) window.scrollBy(0, height.current - before);
  }, [families.length, isInPage]);

  return (
    <div ref={line} role="status" className="waiting-line">
      {families.map(({ id, name, title, start }) => (
        <div key={id} className="notice">
          <p className="min-w-0 wrap-anywhere">
            <strong>{name} is waiting for you.</strong>{" "}
            <span className="waiting-visit">
              {title}, {formatTimeWithZone(start, timeZone)}
            </span>
          </p>
          <LinkButton to={`/video-call/${id}`}>
            <VideoIcon /> Join call now<span className="sr-only"> with {name}</span>
          </LinkButton>
        </div>
      ))}
    </div>
  );
}
