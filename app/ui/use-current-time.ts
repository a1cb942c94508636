import { useEffect, useState } from "react";

const CLOCK_INTERVAL_MS = 15_000;

/** The present time (ISO 8601): that of the server at first, then that of the browser's clock, four times a minute. */
export function useCurrentTime(asOf: string): string {
  const [time, setTime] = useState(asOf);
  useEffect(() => {
    const timer = setInterval(() => setTime(new Date().toISOString()), CLOCK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return time;
}
