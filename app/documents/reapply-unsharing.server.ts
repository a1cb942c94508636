import { db } from "../db/database-client.server.ts";
import { readRowsInBatches } from "../db/batches.server.ts";
import { type ReplacedDatabase, toDate } from "../db/replaced-database.ts";

/**
 * The documents of the database that a restore replaces, keyed by id: when each was uploaded (ms since 1970) and
 * whether it is shared.
 */
export type ReplacedDocuments = ReadonlyMap<number, { uploadedAt: number; isShared: boolean }>;

export async function readReplacedDocuments({ readRows, instants }: ReplacedDatabase): Promise<ReplacedDocuments> {
  const rows = await readRows(`SELECT id, "isSharedWithClient", ${instants("uploadedAt")} FROM documents`);
  return new Map(
    rows.map(({ id, isSharedWithClient, uploadedAt }) => [
      Number(id),
      { uploadedAt: toDate(uploadedAt).getTime(), isShared: Boolean(isSharedWithClient) },
    ]),
  );
}

/**
 * After a restore, stops sharing the documents that the replaced database no longer shared. Returns the number of those
 * documents, and the ids of documents that had been deleted in the replaced database. Deleted documents stay, because
 * the restore may have been made to recover them. `isKnownFamily` returns whether the replaced database has the family.
 */
export async function reapplyUnsharing(
  replaced: ReplacedDocuments,
  isKnownFamily: (familyId: number) => boolean,
): Promise<{ stopped: number; deletedIds: number[] }> {
  const stoppedIds: number[] = [];
  const deletedIds: number[] = [];
  const documents = readRowsInBatches((after, take) =>
    db.document.findMany({
      where: { id: { gt: after } },
      orderBy: { id: "asc" },
      take,
      select: { id: true, userId: true, uploadedAt: true, isSharedWithClient: true },
    }),
  );
  for await (const { id, userId, uploadedAt, isSharedWithClient } of documents) {
    if (!isKnownFamily(userId)) continue;
    const found = replaced.get(id);
    // Another document can have the same id, but not the same upload time.
    if (found?.uploadedAt !== uploadedAt.getTime()) deletedIds.push(id);
    else if (isSharedWithClient && !found.isShared) stoppedIds.push(id);
  }
  for (const id of stoppedIds)
    await db.document.update({ where: { id }, data: { isSharedWithClient: false }, select: { id: true } });
  return { stopped: stoppedIds.length, deletedIds };
}
