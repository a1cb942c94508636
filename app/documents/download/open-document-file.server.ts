import { logError } from "../../http/errors.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../../http/outcome.ts";
import type { ClosableStream } from "../../files/closable-stream.server.ts";
import { unwrapDataKey } from "../../files/data-keys.server.ts";
import { recordDocumentOpenResult } from "../damaged-documents.server.ts";
import { readEncryptedFile } from "../../files/encrypted-files.server.ts";
import { missingFileRefusal, storageRefusal } from "../storage-refusals.server.ts";

const infectedRefusal = refused(
  "conflict",
  "This document may contain a virus, so nobody can open or download it. Please call us.",
);

/** Columns that are needed to open a document's file. */
export const FILE_SELECT = { id: true, filePath: true, fileSize: true, wrappedDataKey: true, keyId: true } as const;

/** Columns that are needed to hand out a document's file with `openDocumentFileUnlessInfected`. */
export const DOWNLOAD_SELECT = { ...FILE_SELECT, virusFoundAt: true } as const;

export type FileRecord = {
  id: number;
  filePath: string;
  fileSize: number;
  wrappedDataKey: string | null;
  keyId: string | null;
};

export type DownloadRecord = FileRecord & { virusFoundAt: Date | null };

/** Returns the refusal for a file in which a scan found what may be a virus; null for any other. */
export function infectedFileRefusal({ virusFoundAt }: Pick<DownloadRecord, "virusFoundAt">): Refusal | null {
  return virusFoundAt ? infectedRefusal : null;
}

/**
 * Opens a document's file for a person, like `openDocumentFile`. Also refuses with conflict if the file may contain a
 * virus.
 */
export async function openDocumentFileUnlessInfected(
  record: DownloadRecord,
  from?: number,
  to?: number,
): ReturnType<typeof openDocumentFile> {
  return infectedFileRefusal(record) ?? openDocumentFile(record, from, to);
}

/**
 * Returns whether `actualHash` is the hash recorded at the upload; true for a record from before hashes were recorded.
 */
export function matchesRecordedHash({ sha256 }: { sha256: string | null }, actualHash: string): boolean {
  return sha256 === null || sha256 === actualHash;
}

/**
 * Opens a document's file and streams its bytes [from, to), with the guarantees of `readEncryptedFile`. The caller must
 * read to the end or close the stream. Refuses with notFound for a missing file, conflict for a damaged one, and
 * unavailable if the storage is unavailable; logs each of these.
 */
export async function openDocumentFile(
  record: FileRecord,
  from = 0,
  to = record.fileSize,
): Promise<Outcome<ClosableStream>> {
  try {
    const encryptedFile = { key: record.filePath, dataKey: unwrapDataKey(record), size: record.fileSize };
    const stream = await readEncryptedFile(encryptedFile, from, to);
    recordDocumentOpenResult(record.id, stream ? null : missingFileRefusal());
    if (stream) return accepted(stream);
    logError(`The file of document ${record.id} is missing.`, "alert: document missing");
    return missingFileRefusal();
  } catch (error) {
    const refusal = storageRefusal(error);
    if (!refusal) throw error;
    recordDocumentOpenResult(record.id, refusal);
    logError(error, `alert: document ${record.id} can't be read`);
    return refusal;
  }
}
