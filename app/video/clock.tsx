import { useEffect, useState } from "react";
import { useSite } from "../practice/site.ts";
import { formatTime } from "../ui/dates.ts";
import type { CallFacts } from "./call-state.ts";

const MINUTE = 60_000;
const LAST_MINUTES = 5;

/** How long the two have been together, and how much time is left; said aloud once, five minutes before the end. */
export function Clock({ facts, togetherSince }: { facts: CallFacts; togetherSince: number | null }) {
  const { timeZone } = useSite().practice;
  // A device's own clock may be wrong: the server's counts.
  const [ahead] = useState(() => Date.parse(facts.now) - Date.now());
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.ceil((Date.parse(facts.endsAt) - now - ahead) / MINUTE);
  return (
    <>
      <p className="tabular-nums">
        {togetherSince !== null && <>Together for {minutesAndSeconds(Math.max(0, now - togetherSince))} · </>}
        {left > 0
          ? `${left} min left`
          : `The planned time is over. The room closes at ${formatTime(facts.closesAt, timeZone)}.`}
      </p>
      <p role="status" className="sr-only">
        {left === LAST_MINUTES ? "5 minutes left." : ""}
      </p>
    </>
  );
}

function minutesAndSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
