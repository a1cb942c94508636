import { HOUR_MS } from "../time-units.ts";
import { now } from "../clock.ts";
import { env } from "../env.server.ts";
import { isBackupConfigured, readBackupStatus } from "./backup-status.server.ts";

/** Maximum age of the last backup: one backup a day, plus half a day of tolerance. */
const MAX_BACKUP_AGE_MS = 36 * HOUR_MS;

/** Returns warnings about backups for the administrator's dashboard. Empty for a local process without BACKUP_KEYS. */
export async function backupWarnings(): Promise<string[]> {
  if (!isBackupConfigured())
    return env.isPublic ? ["No backups are made: the person who installed this site has not set BACKUP_KEYS yet."] : [];
  const { backup, rehearsal } = await readBackupStatus();
  const rehearsalWarnings =
    rehearsal.last && !rehearsal.last.succeeded
      ? [`The last rehearsal of restoring failed: ${rehearsal.last.summary}`]
      : [];
  if (backup.last && !backup.last.succeeded)
    return [`The last backup failed: ${backup.last.summary}`, ...rehearsalWarnings];
  if (!backup.lastSuccess)
    return ["There is no backup yet. Ask the person who installed this site.", ...rehearsalWarnings];
  const hours = Math.floor((now().getTime() - Date.parse(backup.lastSuccess.at)) / HOUR_MS);
  return hours * HOUR_MS >= MAX_BACKUP_AGE_MS
    ? [`The last backup is ${hours} hours old. There should be one each day.`, ...rehearsalWarnings]
    : rehearsalWarnings;
}
