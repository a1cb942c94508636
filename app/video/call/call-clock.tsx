import { useEffect, useState } from "react";
import { MINUTE_MS } from "../../time-units.ts";
import { useSite } from "../../practice/site.ts";
import { formatTime } from "../../ui/format-date-time.ts";
import type { CallInfo } from "./call-state.ts";

const WARNING_MINUTES = 5;

/**
 * Shows the start time before the visit starts. After that, shows how long both people have been connected during the
 * visit, and the time left, which is announced to screen readers five minutes before the end.
 */
export function CallClock({ callInfo, connectedSince }: { callInfo: CallInfo; connectedSince: number | null }) {
  const { timeZone } = useSite().practice;
  // Uses the server's clock, because a device's clock may be wrong.
  const [serverOffsetMs] = useState(() => Date.parse(callInfo.serverTime) - Date.now());
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const startsAt = Date.parse(callInfo.startsAt) - serverOffsetMs;
  if (now < startsAt)
    return <p className="tabular-nums">Your visit starts at {formatTime(callInfo.startsAt, timeZone)}</p>;
  const minutesLeft = Math.ceil((Date.parse(callInfo.endsAt) - now - serverOffsetMs) / MINUTE_MS);
  return (
    <>
      <p className="tabular-nums">
        {connectedSince !== null && (
          <>Connected for {formatElapsedTime(Math.max(0, now - Math.max(startsAt, connectedSince)))} · </>
        )}
        {minutesLeft > 0
          ? `${minutesLeft} min left`
          : `The planned time is over. The room closes at ${formatTime(callInfo.closesAt, timeZone)}.`}
      </p>
      <p role="status" className="sr-only">
        {minutesLeft === WARNING_MINUTES ? "5 minutes left." : ""}
      </p>
    </>
  );
}

function formatElapsedTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
