import { recordAuditNow } from "../audit/record-audit.server.ts";
import { db } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import { reencryptTexts } from "../db/reencrypt.server.ts";
import { unwrapDataKey, wrapDataKey, createDataKey } from "../files/data-keys.server.ts";
import { FILE_SELECT, type FileRecord, openDocumentFile } from "./download/open-document-file.server.ts";
import { createStorageKey, fileStore } from "../files/configured-file-store.server.ts";
import { writeEncryptedFile } from "../files/encrypted-files.server.ts";

/**
 * Moves all texts and documents to the newest of FILE_KEYS: re-encrypts texts, wraps data keys again, and encrypts
 * files that are stored unencrypted. Can be interrupted and started again. Leaves unchanged what it can't decrypt, and
 * returns it: `failedIds` are document ids, `texts.unreadableColumns` are "table.column".
 */
export async function reencryptWithNewestKey() {
  const texts = await reencryptTexts({ scope: "outdated-key" });
  const documents = await rotateDocumentKeys();
  // Also signs the audit trail with the newest key, so that the older ones can be removed.
  await recordAuditNow({ action: "keys-rotated" });
  return { ...documents, texts };
}

async function rotateDocumentKeys(): Promise<{ rotated: number; failedIds: number[] }> {
  const newest = env.files.keys[0];
  if (!newest) throw new Error("FILE_KEYS is not set: there is no key to bring the documents under.");
  const failedIds: number[] = [];
  let rotated = 0;
  let lastId = 0;
  for (;;) {
    const outdatedKeyCondition = { OR: [{ keyId: null }, { keyId: { not: newest.id } }] };
    const document = await db.document.findFirst({
      where: { id: { gt: lastId }, ...outdatedKeyCondition },
      orderBy: { id: "asc" },
      select: FILE_SELECT,
    });
    if (!document) return { rotated, failedIds };
    lastId = document.id;
    if (await (document.keyId === null ? encryptPlainDocument(document) : rewrapDataKey(document))) rotated += 1;
    else failedIds.push(document.id);
  }
}

async function rewrapDataKey(document: FileRecord): Promise<boolean> {
  const { id, wrappedDataKey, keyId } = document;
  try {
    const wrappedKey = wrapDataKey(unwrapDataKey(document));
    return (await db.document.updateMany({ where: { id, wrappedDataKey, keyId }, data: wrappedKey })).count === 1;
  } catch {
    return false;
  }
}

/**
 * Encrypts an unencrypted document into a new file. The old file is deleted only after the record names the new one.
 */
async function encryptPlainDocument(document: FileRecord): Promise<boolean> {
  const file = await openDocumentFile(document);
  if (!file.ok) return false;
  const { id, filePath } = document;
  const { dataKey, wrappedKey } = createDataKey();
  const newFilePath = createStorageKey();
  const isWritten = await writeEncryptedFile(newFilePath, dataKey, file.value).then(
    () => true,
    () => false,
  );
  const isRecorded =
    isWritten &&
    (await db.document.updateMany({ where: { id, filePath }, data: { ...wrappedKey, filePath: newFilePath } }))
      .count === 1;
  await fileStore.remove(isRecorded ? filePath : newFilePath);
  return isRecorded;
}
