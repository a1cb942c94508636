import { createHash } from "node:crypto";
import { HOUR_MS, MINUTE_MS } from "../duration.ts";
import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { env } from "../env.server.ts";
import { logError } from "../http/errors.server.ts";
import { FILE_COLUMNS, type FileRecord, openDocumentFile } from "./document-file.server.ts";
import { storageRefusal } from "./storage-refusals.server.ts";
import { store } from "../files/store.server.ts";
import { damagedDocumentIds, recordOpenResult } from "./damaged-documents.server.ts";

/** Longer than the longest upload (1 h): a younger file may belong to an upload in progress. */
const ORPHAN_AFTER_MS = 2 * HOUR_MS;
const VERIFY_INTERVAL_MS = MINUTE_MS;
const LOW_SPACE_SHARE = 0.1;

/**
 * Deletes files without a record, now and hourly, and verifies one document's hash per minute. The first pass deletes
 * every such file that is older than this process; it is awaited for a local folder and runs in the background for a
 * bucket. Returns a stop function.
 */
export async function startMaintenance(): Promise<() => void> {
  const firstPass = deleteOrphanedFiles(new Date(performance.timeOrigin)).catch((error: unknown) =>
    logError(error, "removing files without a record"),
  );
  if (!env.files.bucket) await firstPass;
  const cleanupTimer = setInterval(() => {
    deleteOrphanedFiles(new Date(now().getTime() - ORPHAN_AFTER_MS)).catch((error: unknown) =>
      logError(error, "removing files without a record"),
    );
  }, HOUR_MS);
  let lastId = 0;
  const verifyTimer = setInterval(() => {
    verifyNext(lastId).then(
      (id) => (lastId = id),
      (error: unknown) => logError(error, "checking a document"),
    );
  }, VERIFY_INTERVAL_MS);
  cleanupTimer.unref();
  verifyTimer.unref();
  return () => {
    clearInterval(cleanupTimer);
    clearInterval(verifyTimer);
  };
}

/** Deletes files without a record that were last written before `before`. Returns how many. */
export async function deleteOrphanedFiles(before: Date): Promise<number> {
  const records = await db.document.findMany({ select: { filePath: true } });
  return store.deleteOrphans(new Set(records.map(({ filePath }) => filePath)), before);
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

async function verifyNext(lastId: number): Promise<number> {
  const document = await findNextDocument(lastId);
  if (document) await verifyDocument(document);
  return document?.id ?? 0;
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
    recordOpenResult(document.id, storageRefusal(error));
    return false;
  }
  const isIntact = hash.digest("hex") === document.sha256;
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
  if (!(await store.ping())) return ["Documents can't be reached just now. We keep trying.", ...damagedWarnings];
  const { freeBytes, totalBytes } = await store.diskSpace();
  const freeShare = totalBytes > 0 ? freeBytes / totalBytes : 1;
  const lowSpaceWarning = `Only ${Math.floor(freeShare * 100)} % of the space for documents is free. Ask whoever runs this site for more.`;
  return freeShare < LOW_SPACE_SHARE ? [lowSpaceWarning, ...damagedWarnings] : damagedWarnings;
}
