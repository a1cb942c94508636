import { env } from "../env.server.ts";
import { formatDateTime } from "../ui/format-date-time.ts";

/** Formats an instant as date and time in the practice's time zone, with the zone's abbreviation. */
export function formatPracticeDateTime(instant: Date | string): string {
  return formatDateTime(instant, env.practice.timeZone);
}
