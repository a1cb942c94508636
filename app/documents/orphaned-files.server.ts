import { now } from "../clock.ts";
import { readRowsInBatches } from "../db/batches.server.ts";
import { db } from "../db/database-client.server.ts";
import { HOUR_MS } from "../time-units.ts";
import { env } from "../env.server.ts";
import { fileStore } from "../files/configured-file-store.server.ts";
import { logError } from "../http/errors.server.ts";

const BATCH_SIZE = 1_000;
/**
 * Minimum age of orphaned files. Longer than the longest upload (1 h), because a younger file may belong to an upload
 * in progress.
 */
const MIN_ORPHAN_AGE_MS = 2 * HOUR_MS;

/**
 * Deletes the files without a record that are older than this process: uploads that an earlier process did not finish.
 * For a local folder, resolves when done; for a bucket, the deletion runs in the background. Logs errors.
 */
export async function deleteUnfinishedUploads(): Promise<void> {
  const deleted = deleteOrphanedFiles(new Date(performance.timeOrigin)).catch((error: unknown) =>
    logError(error, "removing files without a record"),
  );
  if (!env.files.bucket) await deleted;
}

/**
 * Deletes files without a record that were last written before `before`, by default 2 h ago. Returns the number of
 * deleted files.
 */
export async function deleteOrphanedFiles(before = new Date(now().getTime() - MIN_ORPHAN_AGE_MS)): Promise<number> {
  return fileStore.deleteOrphans(await readRecordedFilePaths(), before);
}

async function readRecordedFilePaths(): Promise<Set<string>> {
  const knownKeys = new Set<string>();
  const select = { id: true, filePath: true } as const;
  const read = (after: number, take: number) =>
    db.document.findMany({ where: { id: { gt: after } }, orderBy: { id: "asc" }, take, select });
  for await (const { filePath } of readRowsInBatches(read, BATCH_SIZE)) knownKeys.add(filePath);
  return knownKeys;
}
