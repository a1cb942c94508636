import { now } from "../clock.ts";
import { env } from "../env.server.ts";
import { canBackUp, readBackupRecord } from "./record.server.ts";

const HOUR = 3_600_000;
/** A backup a day, and half a day's grace. */
const OLD_MS = 36 * HOUR;

/** What the consultant should know of her backups. A local process that was given no keys has none, and says nothing. */
export async function backupTroubles(): Promise<string[]> {
  if (!canBackUp())
    return env.isPublic ? ["No backups are made: whoever runs this site has not set BACKUP_KEYS yet."] : [];
  const { backup, rehearsal } = await readBackupRecord();
  const ofRehearsal =
    rehearsal.last && !rehearsal.last.isGood ? [`The last rehearsal of restoring failed: ${rehearsal.last.words}`] : [];
  if (backup.last && !backup.last.isGood) return [`The last backup failed: ${backup.last.words}`, ...ofRehearsal];
  if (!backup.lastGood) return ["There is no backup yet. Ask whoever runs this site.", ...ofRehearsal];
  const hours = Math.floor((now().getTime() - Date.parse(backup.lastGood.at)) / HOUR);
  return hours * HOUR >= OLD_MS
    ? [`The last backup is ${hours} hours old. There should be one each day.`, ...ofRehearsal]
    : ofRehearsal;
}
