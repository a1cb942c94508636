import { startOfDay, wallTimeToInstant, toWallTime } from "../booking/wall-time.ts";
import { HOUR_MS } from "../time-units.ts";

/** Delay after a failed backup before the next attempt. */
const RETRY_DELAY_MS = HOUR_MS;

/**
 * `minutes` is the scheduled time in minutes after midnight in the time zone `zone`; null if no backups are scheduled.
 */
export type BackupSchedule = { minutes: number | null; zone: string };
type BackupRuns = { last: { at: string } | null; lastSuccess: { at: string } | null };

/**
 * Returns whether a backup is due at `instant`: there is no backup since the last scheduled time, and the last attempt
 * was at least an hour ago.
 */
export function isBackupDue(
  { last, lastSuccess }: BackupRuns,
  instant: Date,
  { minutes, zone }: BackupSchedule,
): boolean {
  if (minutes === null) return false;
  if (lastSuccess && Date.parse(lastSuccess.at) >= lastScheduledTime(instant, minutes, zone).getTime()) return false;
  return !last || instant.getTime() - Date.parse(last.at) >= RETRY_DELAY_MS;
}

/**
 * Returns the last scheduled time up to `instant`. A time that is skipped by the switch to daylight saving time becomes
 * the start of its day.
 */
function lastScheduledTime(instant: Date, minutes: number, zone: string): Date {
  const scheduledOn = (day: string) => wallTimeToInstant(day, minutes, zone) ?? startOfDay(day, zone);
  const { day } = toWallTime(instant, zone);
  const today = scheduledOn(day);
  if (today <= instant) return today;
  return scheduledOn(toWallTime(new Date(startOfDay(day, zone).getTime() - 1), zone).day);
}
