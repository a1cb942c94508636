import { refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { truncateFileName } from "./list-truncation.ts";
import { infectedDocumentText } from "./infected-document-text.server.ts";

/** Prisma filter for family uploads that the administrator has not opened yet. */
export const UNREVIEWED_UPLOADS_CONDITION = { reviewedAt: null, uploadedBy: { isAdmin: false } } as const;

/**
 * Returns the number of unreviewed uploads and the newest `take` of them, with the family's name. Instants are ISO
 * 8601, UTC. Returns an empty result for anyone but the administrator.
 */
export async function listUnreviewedUploads(person: Person, take: number) {
  if (refusalUnlessAdmin(person)) return { count: 0, rows: [] };
  const [count, rows] = await Promise.all([
    db.document.count({ where: UNREVIEWED_UPLOADS_CONDITION }),
    db.document.findMany({
      where: UNREVIEWED_UPLOADS_CONDITION,
      orderBy: [{ uploadedAt: "desc" }, { id: "desc" }],
      take,
      select: {
        id: true,
        userId: true,
        fileName: true,
        uploadedAt: true,
        virusFoundAt: true,
        user: { select: { firstName: true, lastName: true } },
      },
    }),
  ]);
  return {
    count,
    rows: rows.map(({ user, uploadedAt, virusFoundAt, ...row }) => ({
      ...row,
      virusText: infectedDocumentText(virusFoundAt, person),
      name: `${user.firstName} ${user.lastName}`,
      uploadedAt: uploadedAt.toISOString(),
    })),
  };
}

/**
 * Returns the newest `take` uploads of one family that the administrator has not opened, and the number of further
 * ones. Returns an empty result for anyone but the administrator.
 */
export async function listUnreviewedUploadsOfFamily(person: Person, userId: number, take: number) {
  if (refusalUnlessAdmin(person)) return { rows: [], more: 0 };
  const where = { ...UNREVIEWED_UPLOADS_CONDITION, userId };
  const [count, rows] = await Promise.all([
    db.document.count({ where }),
    db.document.findMany({
      where,
      orderBy: [{ uploadedAt: "desc" }, { id: "desc" }],
      take,
      select: { id: true, fileName: true, virusFoundAt: true },
    }),
  ]);
  return {
    rows: rows.map(({ id, fileName, virusFoundAt }) => ({
      id,
      fileName: truncateFileName(fileName),
      virusText: infectedDocumentText(virusFoundAt, person),
    })),
    more: count - rows.length,
  };
}

type OpenedDocument = { id: number; reviewedAt: Date | null; openedByFamilyAt: Date | null };

/**
 * Records that the administrator, or the family, opened documents that the person may see. Documents with an earlier
 * record keep it.
 */
export async function markDocumentsOpened(person: Person, documents: readonly OpenedDocument[]): Promise<void> {
  const column = person.isAdmin ? "reviewedAt" : "openedByFamilyAt";
  const ids = documents.filter((document) => document[column] === null).map(({ id }) => id);
  if (ids.length === 0) return;
  await db.document.updateMany({ where: { id: { in: ids }, [column]: null }, data: { [column]: now() } });
}

/** Marks those of these uploads that arrived up to `until` as opened by the administrator. Refuses anyone else. */
export async function markUploadsReviewed(person: Person, ids: readonly number[], until: Date) {
  const refusal = refusalUnlessAdmin(person);
  if (refusal) return refusal;
  const where = { ...UNREVIEWED_UPLOADS_CONDITION, id: { in: [...ids] }, uploadedAt: { lte: until } };
  await db.document.updateMany({ where, data: { reviewedAt: now() } });
  return null;
}
