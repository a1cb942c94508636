import { db } from "../db.server.ts";
import { env } from "../env.server.ts";
import { resealTexts } from "../reseal.server.ts";
import { findLock, keepLock, makeLock } from "./locks.server.ts";
import { FILE, type FileRecord, openDocument } from "./read.server.ts";
import { newStorageKey, store } from "./store.server.ts";
import { keepFile } from "./vault.server.ts";

/**
 * Brings every text and every document under the newest of FILE_KEYS: texts are sealed anew (reseal.server.ts); a file's own key is wrapped anew, and a file that lies plain is
 * written anew, encrypted. Can be stopped and begun again. What can't be opened is named and left as it is.
 */
export async function rotateKeys() {
  const texts = await resealTexts({ scope: "older" });
  return { ...(await rotateDocuments()), texts };
}

async function rotateDocuments(): Promise<{ rotated: number; left: number[] }> {
  const newest = env.files.keys[0];
  if (!newest) throw new Error("FILE_KEYS is not set: there is no key to bring the documents under.");
  const left: number[] = [];
  let rotated = 0;
  let last = 0;
  for (;;) {
    const isOlder = { OR: [{ keyId: null }, { keyId: { not: newest.id } }] };
    const document = await db.document.findFirst({
      where: { id: { gt: last }, ...isOlder },
      orderBy: { id: "asc" },
      select: FILE,
    });
    if (!document) return { rotated, left };
    last = document.id;
    if (await (document.keyId === null ? encrypt(document) : rewrap(document))) rotated += 1;
    else left.push(document.id);
  }
}

async function rewrap(document: FileRecord): Promise<boolean> {
  const { id, fileKey, keyId } = document;
  try {
    const kept = keepLock(findLock(document));
    return (await db.document.updateMany({ where: { id, fileKey, keyId }, data: kept })).count === 1;
  } catch {
    return false;
  }
}

/** The old file is removed only when the record names the new one. */
async function encrypt(document: FileRecord): Promise<boolean> {
  const opened = await openDocument(document);
  if (!opened.ok) return false;
  const { id, filePath } = document;
  const { lock, kept } = makeLock();
  const next = newStorageKey();
  const isWritten = await keepFile(next, lock, opened.value).then(
    () => true,
    () => false,
  );
  const isNamed =
    isWritten &&
    (await db.document.updateMany({ where: { id, filePath }, data: { ...kept, filePath: next } })).count === 1;
  await store.remove(isNamed ? filePath : next);
  return isNamed;
}
