import { env } from "../env.server.ts";
import { formatDateTime } from "../ui/dates.ts";

/** A moment as a date and time in the practice's zone, with the zone's name. */
export function formatPracticeTime(instant: Date | string): string {
  return formatDateTime(instant, env.practice.timeZone);
}
