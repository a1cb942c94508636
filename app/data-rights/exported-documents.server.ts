import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Person } from "../accounts/person.ts";
import { createEntryNamer } from "../documents/download/archive-entry-names.ts";
import { type Document, DOCUMENT_SELECT, visibleDocumentsCondition } from "../documents/documents.server.ts";
import { db } from "../db/database-client.server.ts";
import {
  DOWNLOAD_SELECT,
  type DownloadRecord,
  openDocumentFileUnlessInfected,
} from "../documents/download/open-document-file.server.ts";
import type { ArchiveEntry } from "../documents/download/stream-archive.server.ts";
import { type ClosableStream, createClosableStream, cloneChunks } from "../files/closable-stream.server.ts";
import { logError } from "../http/errors.server.ts";

const DOCUMENTS_FOLDER = "documents/";
/** Number of documents that are named in one tick. A long name takes tens of microseconds. */
const BATCH_SIZE = 100;
const INCOMPLETE_FILE_MESSAGE =
  "This document could not be read to its end, so it is not whole in this file. Please call us.";

/** A document as listed in an export. Instants are UTC; `fileSize` is in bytes. */
export type ExportedDocument = Omit<Document, "userId"> & {
  uploadedBy: "family" | "consultant";
  /** The document's path in the archive. */
  path: string;
  /** Why it is missing or incomplete in the archive; null while no problem is known. */
  problem: string | null;
};

/**
 * Returns the family's documents, at most 2,000 (documents/upload-limits.server.ts), and a function that reads their
 * files.
 */
export async function listExportedDocuments(family: Person, { withUnshared }: { withUnshared: boolean }) {
  const rows = await db.document.findMany({
    where: withUnshared ? { userId: family.id } : visibleDocumentsCondition(family),
    orderBy: { id: "asc" },
    select: { ...DOCUMENT_SELECT, uploadedById: true, ...DOWNLOAD_SELECT },
  });
  const nameEntry = createEntryNamer();
  const files: DownloadRecord[] = [];
  const documents: ExportedDocument[] = [];
  for (const { userId: _, uploadedById, filePath, wrappedDataKey, keyId, virusFoundAt, ...row } of rows) {
    const { id, fileSize } = row;
    const fileCount = files.push({ id, fileSize, filePath, wrappedDataKey, keyId, virusFoundAt });
    if (fileCount % BATCH_SIZE === 0) await yieldToEventLoop();
    const uploadedBy = uploadedById === family.id ? "family" : "consultant";
    documents.push({ ...row, uploadedBy, path: nameEntry(row.fileName, DOCUMENTS_FOLDER), problem: null });
  }
  return { documents, entries: () => documentEntries(documents, files) };
}

/** Yields each file that can be opened, and sets `problem` in `documents` for the others. */
async function* documentEntries(documents: ExportedDocument[], files: DownloadRecord[]): AsyncGenerator<ArchiveEntry> {
  for (const [index, document] of documents.entries()) {
    const file = files[index];
    const opened = file && (await openDocumentFileUnlessInfected(file));
    if (opened?.ok)
      yield {
        name: document.path,
        content: stopAtCorruption(cloneChunks(opened.value), document),
        modifiedAt: document.uploadedAt,
      };
    else document.problem = opened?.message ?? INCOMPLETE_FILE_MESSAGE;
  }
}

/** Ends the content at damaged bytes, so that one damaged document does not prevent the export of the others. */
function stopAtCorruption(chunks: ClosableStream, document: ExportedDocument): ClosableStream {
  const next = async () => {
    try {
      return await chunks.next();
    } catch (error) {
      logError(error, `alert: document ${document.id} is incomplete in an export`);
      document.problem = INCOMPLETE_FILE_MESSAGE;
      return { done: true as const, value: undefined };
    }
  };
  return createClosableStream(next, () => chunks.close());
}
