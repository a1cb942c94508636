import { startOfDay, toInstant, toWallTime } from "../booking/wall-time.ts";
import { HOUR_MS } from "../duration.ts";

/** After a failed backup. */
const RETRY_MS = HOUR_MS;

/** `minutes` after midnight in the time zone `zone`; null: no backup is made by itself. */
export type BackupSchedule = { minutes: number | null; zone: string };
type Runs = { last: { at: string } | null; lastSuccess: { at: string } | null };

/** Whether the backup of the last scheduled time is missing at `instant`, and an hour has passed since a failed one. */
export function isBackupDue({ last, lastSuccess }: Runs, instant: Date, { minutes, zone }: BackupSchedule): boolean {
  if (minutes === null) return false;
  if (lastSuccess && Date.parse(lastSuccess.at) >= lastScheduledTime(instant, minutes, zone).getTime()) return false;
  return !last || instant.getTime() - Date.parse(last.at) >= RETRY_MS;
}

/** A time that clocks skip in spring counts as the start of its day. */
function lastScheduledTime(instant: Date, minutes: number, zone: string): Date {
  const scheduledOn = (day: string) => toInstant(day, minutes, zone) ?? startOfDay(day, zone);
  const { day } = toWallTime(instant, zone);
  const today = scheduledOn(day);
  if (today <= instant) return today;
  return scheduledOn(toWallTime(new Date(startOfDay(day, zone).getTime() - 1), zone).day);
}
