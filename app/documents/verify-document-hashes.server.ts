import { createHash } from "node:crypto";
import { db } from "../db/database-client.server.ts";
import { logError } from "../http/errors.server.ts";
import { recordDocumentContentResult } from "./damaged-documents.server.ts";
import {
  FILE_SELECT,
  type FileRecord,
  matchesRecordedHash,
  openDocumentFile,
} from "./download/open-document-file.server.ts";
import { storageRefusal } from "./storage-refusals.server.ts";

/**
 * Compares every document's file with its recorded hash. Returns the number of intact documents and the ids of missing
 * or damaged ones, which are also logged.
 */
export async function verifyAllDocumentHashes(): Promise<{ intact: number; damaged: number[] }> {
  const damagedIds: number[] = [];
  let intactCount = 0;
  for (let document = await findDocumentAfterId(0); document; document = await findDocumentAfterId(document.id)) {
    if (await verifyAndRecordDocumentHash(document)) intactCount += 1;
    else damagedIds.push(document.id);
  }
  return { intact: intactCount, damaged: damagedIds };
}

let lastVerifiedId = 0;

/** Verifies the hash of the document with the next id, and starts over after the last one. */
export async function verifyNextDocumentHash(): Promise<void> {
  const document = await findDocumentAfterId(lastVerifiedId);
  if (document) await verifyAndRecordDocumentHash(document);
  lastVerifiedId = document?.id ?? 0;
}

/** Returns the stored document with the next id after `id`; null after the last one. */
export function findDocumentAfterId(id: number) {
  return db.document.findFirst({
    where: { id: { gt: id } },
    orderBy: { id: "asc" },
    select: { ...FILE_SELECT, sha256: true, userId: true },
  });
}

async function verifyAndRecordDocumentHash(document: FileRecord & { sha256: string | null }): Promise<boolean> {
  const file = await openDocumentFile(document);
  if (!file.ok) return false;
  const hash = createHash("sha256");
  try {
    for await (const bytes of file.value) hash.update(bytes);
  } catch (error) {
    logError(error, `alert: document ${document.id} is damaged`);
    const refusal = storageRefusal(error);
    if (refusal && refusal.reason !== "unavailable") recordDocumentContentResult(document.id, false);
    return false;
  }
  const isIntact = matchesRecordedHash(document, hash.digest("hex"));
  recordDocumentContentResult(document.id, isIntact);
  if (!isIntact) logError("Its bytes are not those that were sent.", `alert: document ${document.id} is damaged`);
  return isIntact;
}
