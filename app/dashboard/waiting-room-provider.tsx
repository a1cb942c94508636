import { lazy, type ReactNode, Suspense, useState } from "react";
import { useLocation } from "react-router";
import { TitlePrefixContext } from "../ui/page-meta.tsx";
import { WaitingRoomFamiliesContext } from "../video/waiting-room-families-context.ts";
import { usePolledData } from "./use-polled-data.ts";
import type { loadWaitingRoomData } from "./waiting-room-data.server.ts";

type WaitingRoomData = Awaited<ReturnType<typeof loadWaitingRoomData>>;
export type WaitingRoomBannerFamily = WaitingRoomData["families"][number];
type ProviderProps = { waitingRoom: WaitingRoomData; header: ReactNode; children: ReactNode };

/** Loaded when the first family waits. */
const WaitingRoomBanner = lazy(() => import("./waiting-room-banner.tsx"));

/** Polls in a hidden tab, too, because the administrator may be in another tab when the family arrives. */
const POLL_OPTIONS = { hiddenIntervalMs: 15_000 };

/**
 * Shows the administrator which families are in the waiting room, on each page except that visit's call: below the
 * header, which stays in place while the page scrolls, and in a dialog, which covers the page.
 */
export function WaitingRoomProvider({ waitingRoom, header, children }: ProviderProps) {
  const { pathname } = useLocation();
  const { families } = usePolledData(waitingRoom, "/dashboard/waiting?refresh", POLL_OPTIONS).current;
  const otherFamilies = families.filter(({ id }) => pathname !== `/video-call/${id}`);
  const [isInDocument] = useState(otherFamilies.length > 0);
  const [isNeeded, setNeeded] = useState(isInDocument);
  if (!isNeeded && otherFamilies.length > 0) setNeeded(true);
  return (
    <WaitingRoomFamiliesContext value={families}>
      <div className="site-top">
        {header}
        <div role="status" className="waiting-banner">
          {isNeeded && (
            <Suspense fallback={null}>
              <WaitingRoomBanner families={otherFamilies} isInDocument={isInDocument} />
            </Suspense>
          )}
        </div>
      </div>
      <TitlePrefixContext value={otherFamilies.length > 0 ? `(${otherFamilies.length} waiting) ` : ""}>
        {children}
      </TitlePrefixContext>
    </WaitingRoomFamiliesContext>
  );
}
