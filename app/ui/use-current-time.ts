import { useEffect, useState } from "react";

const CLOCK_INTERVAL_MS = 15_000;

/**
 * Returns the present time (ISO 8601): the server's at first, then the browser clock's, updated four times a minute.
 */
export function useCurrentTime(asOf: string): string {
  const [time, setTime] = useState(asOf);
  useEffect(() => {
    const timer = setInterval(() => setTime(new Date().toISOString()), CLOCK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return time;
}
