import { useEffect } from "react";
import { ConsultantByline } from "../practice/consultant-introduction.tsx";
import { useSite } from "../practice/site.ts";
import { LinkButton } from "../ui/button.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import { ZonedTime } from "../ui/zoned-time.tsx";
import { PhoneFallbackCard } from "./phone-fallback.tsx";
import { DeviceCheck } from "./call/device-check.tsx";
import type { CallInfo } from "./call/call-state.ts";
import { BriefingCard } from "./visit-briefing.tsx";
import { VisitHeader } from "./visit-header.tsx";

/** Maximum delay of a browser timer, which is a signed 32-bit number of milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type ClosedRoomProps = {
  reason: keyof typeof HEADINGS;
  opensAt: string;
  callInfo: Omit<CallInfo, "iceServers" | "relayUrls">;
};

/** Page for an appointment that does not exist or belongs to another family. */
export function RoomNotFound() {
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta hasError>Video visit</PageMeta>
      <h1>Video visit</h1>
      <p role="alert" className="notice notice-danger">
        Error loading appointment. Please try again.
      </p>
      <p>The address may be mistyped, or the visit was deleted. Your dashboard has a button for each visit.</p>
      <ExitLinks />
    </main>
  );
}

export function ClosedRoom({ reason, opensAt, callInfo }: ClosedRoomProps) {
  const { timeZone } = useSite().practice;
  const isEarly = reason === "too-early";
  useEffect(() => {
    if (!isEarly) return;
    const delayMs = Date.parse(opensAt) - Date.parse(callInfo.serverTime) + 1000;
    if (delayMs > MAX_TIMER_MS) return;
    const timer = setTimeout(() => window.location.reload(), delayMs);
    return () => clearTimeout(timer);
  }, [isEarly, opensAt, callInfo.serverTime]);
  return (
    <main id="main" tabIndex={-1} className="page closed-room">
      <PageMeta>{HEADINGS[reason]}</PageMeta>
      <h1>{HEADINGS[reason]}</h1>
      {isEarly && (
        <div className="notice">
          <p>
            The waiting room opens 10 minutes before the start:{" "}
            <ZonedTime instant={opensAt} zone={timeZone} inSentence />.
          </p>
          <p>
            <span className="scripted">You can stay on this page. The room opens here by itself.</span>
            <span className="unscripted">Please load this page again at that time.</span>
          </p>
        </div>
      )}
      <VisitHeader callInfo={callInfo} className="card">
        {isEarly && callInfo.role === "client" && <ConsultantByline />}
      </VisitHeader>
      {isEarly && callInfo.briefing && <BriefingCard briefing={callInfo.briefing} />}
      {isEarly && <DeviceCheck />}
      {reason === "too-late" && <p className="notice">The room is closed. Your next visits are on your dashboard.</p>}
      {reason === "ended" && <p className="notice">The call was ended and the room is closed.</p>}
      {reason === "not-allowed" && (
        <p className="notice">
          This appointment has no video room. It was canceled, or it was booked without a live video call.
        </p>
      )}
      <ExitLinks callInfo={callInfo} isEnded={reason === "ended"} />
    </main>
  );
}

const HEADINGS = {
  "too-early": "The room is not open yet",
  "too-late": "This visit is over",
  ended: "This visit has ended",
  "not-allowed": "No video visit here",
};

function ExitLinks({ callInfo, isEnded = false }: { callInfo?: ClosedRoomProps["callInfo"]; isEnded?: boolean }) {
  return (
    <>
      <p>
        <LinkButton variant="primary" href="/dashboard" className="max-sm:w-full">
          Go to the dashboard
        </LinkButton>
      </p>
      <PhoneFallbackCard
        callInfo={callInfo ?? { role: "client", id: 0, familyPhone: null }}
        when={
          callInfo?.role === "admin" ? "You can" : isEnded ? "Did it end too soon for you? Please" : "Questions? Please"
        }
      />
    </>
  );
}
