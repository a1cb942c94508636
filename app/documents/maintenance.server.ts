import { createHash } from "node:crypto";
import { HOUR_MS } from "../duration.ts";
import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { env } from "../env.server.ts";
import { logError } from "../http/errors.server.ts";
import {
  FILE_COLUMNS,
  type FileRecord,
  matchesRecordedHash,
  openDocumentFile,
} from "./download/open-document-file.server.ts";
import { storageRefusal } from "./storage-refusals.server.ts";
import { fileStore } from "../files/store.server.ts";
import { damagedDocumentIds, recordContentResult } from "./damaged-documents.server.ts";

/** Longer than the longest upload (1 h): a younger file may belong to an upload in progress. */
const ORPHAN_AFTER_MS = 2 * HOUR_MS;
const LOW_SPACE_SHARE = 0.1;

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

/** Compares every document's file with its hash. Returns the ids of missing or damaged ones, which are also logged. */
export async function verifyDocuments(): Promise<{ intact: number; damaged: number[] }> {
  const damagedIds: number[] = [];
  let intactCount = 0;
  for (let document = await findNextDocument(0); document; document = await findNextDocument(document.id)) {
    if (await verifyDocument(document)) intactCount += 1;
    else damagedIds.push(document.id);
  }
  return { intact: intactCount, damaged: damagedIds };
}

let lastVerifiedId = 0;

/** Verifies the hash of the next document by id, and begins again after the last one. */
export async function verifyNextDocument(): Promise<void> {
  const document = await findNextDocument(lastVerifiedId);
  if (document) await verifyDocument(document);
  lastVerifiedId = document?.id ?? 0;
}

function findNextDocument(id: number) {
  return db.document.findFirst({
    where: { id: { gt: id } },
    orderBy: { id: "asc" },
    select: { ...FILE_COLUMNS, sha256: true },
  });
}

async function verifyDocument(document: FileRecord & { sha256: string | null }): Promise<boolean> {
  const file = await openDocumentFile(document);
  if (!file.ok) return false;
  const hash = createHash("sha256");
  try {
    for await (const bytes of file.value) hash.update(bytes);
  } catch (error) {
    logError(error, `alert: document ${document.id} is damaged`);
    const refusal = storageRefusal(error);
    if (refusal && refusal.reason !== "unavailable") recordContentResult(document.id, false);
    return false;
  }
  const isIntact = matchesRecordedHash(document, hash.digest("hex"));
  recordContentResult(document.id, isIntact);
  if (!isIntact) logError("Its bytes are not those that were sent.", `alert: document ${document.id} is damaged`);
  return isIntact;
}

/**
 * Warnings about the storage for the administrator's dashboard: unreachable, nearly full, or with damaged documents.
 */
export async function storageWarnings(): Promise<string[]> {
  const damagedCount = await db.document.count({ where: { id: { in: damagedDocumentIds() } } });
  const [documentsAre, them] = damagedCount === 1 ? ["document is", "it"] : ["documents are", "them"];
  const damagedWarning =
    `${damagedCount} ${documentsAre} damaged or missing. Ask whoever runs this site: ` +
    `“npm run documents -- check” names ${them}, and the last backup has ${them} whole.`;
  const damagedWarnings = damagedCount === 0 ? [] : [damagedWarning];
  if (!(await fileStore.ping())) return ["Documents can't be reached just now. We keep trying.", ...damagedWarnings];
  const { freeBytes, totalBytes } = await fileStore.diskSpace();
  const freeShare = totalBytes > 0 ? freeBytes / totalBytes : 1;
  const lowSpaceWarning = `Only ${Math.floor(freeShare * 100)} % of the space for documents is free. Ask whoever runs this site for more.`;
  return freeShare < LOW_SPACE_SHARE ? [lowSpaceWarning, ...damagedWarnings] : damagedWarnings;
}
