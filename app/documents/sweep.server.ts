import { createHash } from "node:crypto";
import { now } from "../clock.ts";
import { db } from "../db.server.ts";
import { env } from "../env.server.ts";
import { logError } from "../http/failure.server.ts";
import { FILE, type FileRecord, openDocument } from "./read.server.ts";
import { storeFailure } from "./store-errors.server.ts";
import { store } from "./store.server.ts";
import { remember } from "./trouble.server.ts";

const HOUR_MS = 3_600_000;
/** Longer than any upload may take: what is younger may still be coming in. */
const STRAY_AFTER_MS = 2 * HOUR_MS;
const CHECK_EVERY_MS = 60_000;

/**
 * Removes what an earlier process left behind in the store: files that were coming in when it died, and those whose
 * record was deleted while the store could not be reached; whatever is older than this process is nobody's any more. A
 * local folder is swept before this returns, a bucket in the background. Then, until the returned function is called: once an hour again, and one document a minute is read and compared with
 * its hash.
 */
export async function startSweeping(): Promise<() => void> {
  const first = removeStrays(new Date(performance.timeOrigin)).catch((error: unknown) =>
    logError(error, "removing files without a record"),
  );
  if (!env.files.bucket) await first;
  const sweep = setInterval(() => {
    removeStrays(new Date(now().getTime() - STRAY_AFTER_MS)).catch((error: unknown) =>
      logError(error, "removing files without a record"),
    );
  }, HOUR_MS);
  let last = 0;
  const check = setInterval(() => {
    checkNext(last).then(
      (id) => (last = id),
      (error: unknown) => logError(error, "checking a document"),
    );
  }, CHECK_EVERY_MS);
  sweep.unref();
  check.unref();
  return () => {
    clearInterval(sweep);
    clearInterval(check);
  };
}

/** Removes the files that no document names and that were last written before `before`; says how many. */
export async function removeStrays(before: Date): Promise<number> {
  const records = await db.document.findMany({ select: { filePath: true } });
  return store.removeStrays(new Set(records.map(({ filePath }) => filePath)), before);
}

/** Reads every document to its end and compares it with its hash; names those that are missing or damaged. Each is logged. */
export async function checkDocuments(): Promise<{ whole: number; broken: number[] }> {
  const broken: number[] = [];
  let whole = 0;
  for (let document = await documentAfter(0); document; document = await documentAfter(document.id)) {
    if (await isWhole(document)) whole += 1;
    else broken.push(document.id);
  }
  return { whole, broken };
}

async function checkNext(last: number): Promise<number> {
  const document = await documentAfter(last);
  if (document) await isWhole(document);
  return document?.id ?? 0;
}

function documentAfter(id: number) {
  return db.document.findFirst({
    where: { id: { gt: id } },
    orderBy: { id: "asc" },
    select: { ...FILE, sha256: true },
  });
}

async function isWhole(document: FileRecord & { sha256: string | null }): Promise<boolean> {
  const opened = await openDocument(document);
  if (!opened.ok) return false;
  const hash = createHash("sha256");
  try {
    for await (const bytes of opened.value) hash.update(bytes);
  } catch (error) {
    logError(error, `alert: document ${document.id} is damaged`);
    remember(document.id, storeFailure(error));
    return false;
  }
  const isSame = hash.digest("hex") === document.sha256;
  if (!isSame) logError("Its bytes are not those that were sent.", `alert: document ${document.id} is damaged`);
  return isSame;
}
