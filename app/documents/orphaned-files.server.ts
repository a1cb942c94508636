import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { HOUR_MS } from "../duration.ts";
import { env } from "../env.server.ts";
import { fileStore } from "../files/configured-store.server.ts";
import { logError } from "../http/errors.server.ts";

/** Longer than the longest upload (1 h): a younger file may belong to an upload in progress. */
const ORPHAN_AFTER_MS = 2 * HOUR_MS;

/**
 * Deletes the files without a record that are older than this process: uploads that an earlier process did not finish.
 * Awaited for a local folder; for a bucket it runs in the background. Errors are logged.
 */
export async function deleteUnfinishedUploads(): Promise<void> {
  const deleted = deleteOrphanedFiles(new Date(performance.timeOrigin)).catch((error: unknown) =>
    logError(error, "removing files without a record"),
  );
  if (!env.files.bucket) await deleted;
}

/** Deletes files without a record that were last written before `before`, by default 2 h ago. Returns how many. */
export async function deleteOrphanedFiles(before = new Date(now().getTime() - ORPHAN_AFTER_MS)): Promise<number> {
  const records = await db.document.findMany({ select: { filePath: true } });
  return fileStore.deleteOrphans(new Set(records.map(({ filePath }) => filePath)), before);
}
