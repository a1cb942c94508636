import { env } from "../../env.server.ts";
import { formatShortDate, formatTimeWithZone } from "../../ui/format-date-time.ts";
import { practiceToday } from "../practice-today.server.ts";
import { toWallTime } from "../wall-time.ts";

/** Formats when a hold ends, in the practice's time zone, with the day unless that is today. */
export function formatHoldEnd(end: Date): string {
  const { timeZone } = env.practice;
  const isToday = toWallTime(end, timeZone).day === practiceToday();
  return isToday
    ? formatTimeWithZone(end, timeZone)
    : `${formatShortDate(end, timeZone)}, ${formatTimeWithZone(end, timeZone)}`;
}
