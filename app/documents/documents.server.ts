import { assertAdministrator } from "../accounts/authorization.server.ts";
import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { type Sql, sqltag as sql } from "@prisma/client/runtime/client";
import type { Person } from "../accounts/person.ts";
import { runPreparedQuery, db, inTransaction } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import { logError } from "../http/errors.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { findIntakeForm, findIntakeFormUpdatedAt, toSubmittedIntakeFormData } from "../intake/intake-forms.server.ts";
import { formatIntakeText } from "../intake/format-intake-text.ts";
import { INTAKE_FORM_TITLE } from "../intake/intake-sections.ts";
import { notifyDocumentAdded } from "./document-notifications.server.ts";
import { INTAKE_DOCUMENT_ID, INTAKE_FILE_NAME } from "./intake-document.ts";
import { truncateFileName } from "./list-truncation.ts";
import { fileStore } from "../files/configured-file-store.server.ts";
import { storageRefusal } from "./storage-refusals.server.ts";
import { infectedDocumentText } from "./infected-document-text.server.ts";

/** Columns that may leave the server. A file's path and key must not. */
export const DOCUMENT_SELECT = {
  id: true,
  userId: true,
  appointmentId: true,
  fileName: true,
  fileType: true,
  fileSize: true,
  description: true,
  isSharedWithClient: true,
  uploadedAt: true,
} as const;

/** `fileSize` is in bytes, `uploadedAt` in UTC. */
export type Document = {
  id: number;
  userId: number;
  appointmentId: number | null;
  fileName: string;
  fileType: string;
  fileSize: number;
  description: string | null;
  isSharedWithClient: boolean;
  uploadedAt: Date;
};

/** Maximum number of documents that are listed for one visit. Source: docs/product.md, Limits. */
const MAX_VISIT_DOCUMENTS = 100;
const MORE_VISIT_DOCUMENTS_NOTE = `Only the newest ${MAX_VISIT_DOCUMENTS} are shown here. The page Documents has all of them.`;

const INTAKE_DOCUMENT_FIELDS = { id: INTAKE_DOCUMENT_ID, fileName: INTAKE_FILE_NAME, description: INTAKE_FORM_TITLE };

/** Prisma filter for the documents that a person may see: a family its own shared ones, the administrator all. */
export function visibleDocumentsCondition(person: Person) {
  return person.isAdmin ? {} : { userId: person.id, isSharedWithClient: true };
}

/** SQL condition: true when a family may see a document. Equivalent to `visibleDocumentsCondition` for a family. */
const visibleToFamilySql = ({ id }: Person) => sql`"userId" = ${id} AND "isSharedWithClient" = ${true}`;

/** Columns that determine whether a document is new to its family. */
export const NEW_TO_FAMILY_SELECT = { userId: true, uploadedById: true, openedByFamilyAt: true } as const;
type DocumentReadState = { userId: number; uploadedById: number | null; openedByFamilyAt: Date | null };

/** Returns whether a document came from the consultant and its family has neither viewed nor downloaded it. */
export function isNewToFamily({ userId, uploadedById, openedByFamilyAt }: DocumentReadState): boolean {
  return openedByFamilyAt === null && uploadedById !== null && uploadedById !== userId;
}

/** Returns the SQL that counts the documents of a family for which `isNewToFamily` is true. */
export const newToFamilyCountSql = (person: Person): Sql =>
  sql`SELECT CAST(count(*) AS INTEGER) FROM "documents" WHERE ${visibleToFamilySql(person)}
    AND "openedByFamilyAt" IS NULL AND "uploadedById" <> "userId"`;

/** Prisma filter for the documents that a person may delete: a family its own uploads, the administrator all. */
export function documentsDeletableByCondition(person: Person) {
  return person.isAdmin ? {} : { ...visibleDocumentsCondition(person), uploadedById: person.id };
}

type LatestDocument = Pick<Document, "id" | "fileName" | "description" | "uploadedAt"> & {
  isNew: boolean;
  virusText: string | null;
};
type LatestRow = Pick<Document, "id" | "fileName" | "uploadedAt"> &
  DocumentReadState & { virusFoundAt: Date | null; total: number };
export type AppointmentDocument = { id: number; fileName: string; virusText: string | null };

/**
 * Returns the number of documents in a family's list, and its first `maxCount` documents. Only the intake form has a
 * description.
 */
export async function findLatestDocuments(
  person: Person,
  maxCount: number,
): Promise<{ total: number; latest: LatestDocument[]; hasIntake: boolean }> {
  const [rows, intakeDate] = await Promise.all([
    runPreparedQuery<LatestRow>(sql`
      SELECT "id", "userId", "uploadedById", "openedByFamilyAt", "fileName", "uploadedAt", "virusFoundAt",
        (SELECT CAST(count(*) AS INTEGER) FROM "documents" WHERE ${visibleToFamilySql(person)}) AS "total"
      FROM "documents" WHERE ${visibleToFamilySql(person)} ORDER BY "uploadedAt" DESC, "id" DESC LIMIT ${maxCount}`),
    findIntakeFormUpdatedAt(person),
  ]);
  const total = rows[0]?.total ?? 0;
  const uploads = rows.map(({ id, fileName, uploadedAt, virusFoundAt, ...row }) => ({
    id,
    fileName,
    description: null,
    uploadedAt,
    isNew: isNewToFamily(row),
    virusText: infectedDocumentText(virusFoundAt, person),
  }));
  if (!intakeDate) return { total, latest: uploads, hasIntake: false };
  const latest = [
    { ...INTAKE_DOCUMENT_FIELDS, uploadedAt: intakeDate, isNew: false, virusText: null },
    ...uploads,
  ].slice(0, maxCount);
  return { total: total + 1, latest, hasIntake: true };
}

/** Returns whether the person may see any document of this appointment. */
export async function hasAppointmentDocuments(person: Person, appointmentId: number): Promise<boolean> {
  return (
    (await db.document.findFirst({
      where: { ...visibleDocumentsCondition(person), appointmentId },
      select: { id: true },
    })) !== null
  );
}

/** Returns the newest 100 documents of an appointment that the person may see, and a note if there are more. */
export async function listAppointmentDocuments(
  person: Person,
  appointmentId: number,
): Promise<{ rows: AppointmentDocument[]; note: string | null }> {
  const found = await db.document.findMany({
    where: { ...visibleDocumentsCondition(person), appointmentId },
    orderBy: [{ uploadedAt: "desc" }, { id: "desc" }],
    take: MAX_VISIT_DOCUMENTS + 1,
    select: { id: true, fileName: true, virusFoundAt: true },
  });
  const rows = found.slice(0, MAX_VISIT_DOCUMENTS).map(({ id, fileName, virusFoundAt }) => ({
    id,
    fileName: truncateFileName(fileName),
    virusText: infectedDocumentText(virusFoundAt, person),
  }));
  return { rows, note: found.length > MAX_VISIT_DOCUMENTS ? MORE_VISIT_DOCUMENTS_NOTE : null };
}

/** Returns a family's own intake form as a document, with its text. Always refuses the administrator with notFound. */
export async function findIntakeDocument(person: Person): Promise<Outcome<{ document: Document; text: string }>> {
  const form: Awaited<ReturnType<typeof findIntakeForm>> = person.isAdmin
    ? documentNotFoundRefusal()
    : await findIntakeForm(person);
  if (!form.ok) return documentNotFoundRefusal();
  const text = formatIntakeText(toSubmittedIntakeFormData(form.value), env.practice);
  const document = {
    ...INTAKE_DOCUMENT_FIELDS,
    userId: person.id,
    appointmentId: null,
    fileType: "text/plain",
    fileSize: Buffer.byteLength(text),
    isSharedWithClient: true,
    uploadedAt: form.value.updatedAt,
  };
  return accepted({ document, text });
}

/**
 * Returns a document that the person may delete. Refusals: notFound (the person may not see it), forbidden (another
 * person uploaded it).
 */
export async function findDeletableDocument(
  person: Person,
  id: number | null,
): Promise<Outcome<Document & { filePath: string }>> {
  const select = { ...DOCUMENT_SELECT, filePath: true, uploadedById: true };
  const found =
    id === null ? null : await db.document.findFirst({ where: { ...visibleDocumentsCondition(person), id }, select });
  if (!found) return documentNotFoundRefusal();
  const { uploadedById, ...document } = found;
  if (person.isAdmin || uploadedById === person.id) return accepted(document);
  return refused("forbidden", "Your consultant sent you this document, so only she can delete it.");
}

/**
 * Deletes a document's record, which contains the file's key, and then its file. Refuses with unavailable before
 * changing anything if the storage is unavailable. Of two concurrent calls, one succeeds and the other gets notFound.
 */
export async function deleteDocument(
  person: Person,
  id: number | null,
): Promise<Outcome<{ fileName: string; userId: number }>> {
  const found = await findDeletableDocument(person, id);
  if (!found.ok) return found;
  const { filePath, fileName } = found.value;
  try {
    await (await fileStore.open(filePath))?.close();
    const { id: objectId, userId: familyId } = found.value;
    const isDeleted = await inTransaction(async (transaction) => {
      const { count } = await transaction.document.deleteMany({
        where: { ...documentsDeletableByCondition(person), id: objectId },
      });
      if (count > 0) recordAuditInTransaction(transaction, { action: "document-deleted", familyId, objectId });
      return count > 0;
    });
    if (!isDeleted) return documentNotFoundRefusal();
  } catch (error) {
    const refusal = storageRefusal(error);
    if (!refusal) throw error;
    logError(error, "deleting a document");
    return refusal;
  }
  // A file that can't be deleted now has no record and no key; maintenance deletes it later.
  await fileStore.remove(filePath).catch((error: unknown) => logError(error, "removing a deleted document's file"));
  return accepted({ fileName, userId: found.value.userId });
}

/**
 * Sets whether the family sees a document. Refusals: notFound, conflict (the family uploaded it itself, so it always
 * sees it). Throws unless the person is the administrator.
 */
export async function setDocumentSharingAndNotify(
  person: Person,
  id: number | null,
  isShared: boolean,
): Promise<Outcome<{ fileName: string; userId: number }>> {
  assertAdministrator(person);
  if (id === null) return documentNotFoundRefusal();
  return inTransaction(async (transaction) => {
    const select = { fileName: true, userId: true, uploadedById: true } as const;
    const found = await transaction.document.findUnique({ where: { id }, select });
    if (!found) return documentNotFoundRefusal();
    if (!isShared && found.uploadedById === found.userId)
      return refused("conflict", "The family uploaded this document itself, so it keeps it.");
    const where = { id, isSharedWithClient: !isShared };
    const { count } = await transaction.document.updateMany({ where, data: { isSharedWithClient: isShared } });
    const action = isShared ? "document-shared" : "document-unshared";
    if (count === 1) recordAuditInTransaction(transaction, { action, familyId: found.userId, objectId: id });
    if (isShared && count === 1) await notifyDocumentAdded(transaction, person, found.userId);
    return accepted({ fileName: found.fileName, userId: found.userId });
  });
}

/** Refuses a missing document and another family's document identically, so that they can't be distinguished. */
export function documentNotFoundRefusal(): Refusal {
  return refused("notFound", "There is no such document.");
}
