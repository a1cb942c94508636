import { logError } from "../http/failure.server.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { missingFile } from "./documents.server.ts";
import type { HandedOn } from "./handed-on.server.ts";
import { findLock } from "./locks.server.ts";
import { storeFailure } from "./store-errors.server.ts";
import { remember } from "./trouble.server.ts";
import { openFile } from "./vault.server.ts";

/** What finds and opens a document's file. */
export const FILE = { id: true, filePath: true, fileSize: true, fileKey: true, keyId: true } as const;

export type FileRecord = {
  id: number;
  filePath: string;
  fileSize: number;
  fileKey: string | null;
  keyId: string | null;
};

/**
 * Opens a document's file for the bytes from `from` up to, not including, `to`. The first segment is proven whole
 * before this answers; the iteration throws at a later one that is not. Each part is good until the next is asked for;
 * whoever gets it reads to the end or ends it.
 * notFound where the file is gone, conflict where it is damaged, unavailable where the store is down; all are logged.
 */
export async function openDocument(record: FileRecord, from = 0, to = record.fileSize): Promise<Outcome<HandedOn>> {
  try {
    const sealed = { key: record.filePath, lock: findLock(record), size: record.fileSize };
    const opened = await openFile(sealed, from, to);
    remember(record.id, opened ? null : missingFile());
    if (opened) return accepted(opened);
    logError(`The file of document ${record.id} is missing.`, "alert: document missing");
    return missingFile();
  } catch (error) {
    const failed = storeFailure(error);
    if (!failed) throw error;
    remember(record.id, failed);
    logError(error, `alert: document ${record.id} can't be read`);
    return failed;
  }
}
