import { useEffect, useState } from "react";
import { MINUTE_MS } from "../../duration.ts";
import { useSite } from "../../practice/site.ts";
import { formatTime } from "../../ui/dates.ts";
import type { CallInfo } from "./call-state.ts";

const WARNING_MINUTES = 5;

/** Until the start shows when that is; then the time since both connected, of the visit, and the time left, which screen readers hear five minutes before the end. */
export function CallClock({ callInfo, connectedSince }: { callInfo: CallInfo; connectedSince: number | null }) {
  const { timeZone } = useSite().practice;
  // The server's clock counts: the clock of a device may be wrong.
  const [serverOffsetMs] = useState(() => Date.parse(callInfo.now) - Date.now());
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
          <>Connected for {formatDuration(Math.max(0, now - Math.max(startsAt, connectedSince)))} · </>
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

function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
