import { useEffect, useState } from "react";
import { useSite } from "../../practice/site.ts";
import { useLocalZone } from "../../ui/zoned-time.tsx";
import type { LocalTime } from "./local-times.ts";

/**
 * Returns a function that converts a start to the visitor's local time, or to null when that equals the practice's
 * time. Returns null until the code for it has loaded.
 */
export function useLocalTimeConverter(): ((text: string) => LocalTime | null) | null {
  const { timeZone } = useSite().practice;
  const localZone = useLocalZone(timeZone);
  const [format, setFormat] = useState<typeof import("./local-times.ts").toVisitorLocalTime | null>(null);
  useEffect(() => {
    if (localZone !== timeZone)
      void import("./local-times.ts").then(
        ({ toVisitorLocalTime: localTime }) => setFormat(() => localTime),
        () => {},
      );
  }, [localZone, timeZone]);
  return format && ((text) => format(text, timeZone, localZone));
}
