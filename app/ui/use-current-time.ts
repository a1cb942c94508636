import { useEffect, useState } from "react";

const CLOCK_INTERVAL_MS = 15_000;

/** Returns the current time (ISO 8601): first the server's, then the browser's, updated four times a minute. */
export function useCurrentTime(serverTime: string): string {
  const [time, setTime] = useState(serverTime);
  useEffect(() => {
    const timer = setInterval(() => setTime(new Date().toISOString()), CLOCK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return time;
}
