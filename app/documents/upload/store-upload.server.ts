import { notSignedInRefusal } from "../../accounts/authorization.server.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import type { IncomingMessage } from "node:http";
import { lockAccountRow } from "../../accounts/lock-account-row.server.ts";
import { validateFields } from "../../accounts/define-endpoint.server.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { inTransaction, type Transaction } from "../../db/database-client.server.ts";
import { logError } from "../../http/errors.server.ts";
import { accepted, invalidField, type Outcome, type Refusal, refused } from "../../http/outcome.ts";
import { SAMPLE_BYTES, resolveVerifiedContentType, contentTypeFromName } from "../content-type.server.ts";
import { notifyDocumentAdded } from "../document-notifications.server.ts";
import { type Document, DOCUMENT_SELECT } from "../documents.server.ts";
import { createDataKey } from "../../files/data-keys.server.ts";
import {
  type RawUploadFields,
  type IncomingFile,
  parseUploadForm,
  UploadAbortedError,
  UploadRejectedError,
} from "./upload-form-parser.server.ts";
import { precheckUpload, recheckQuota } from "../upload-limits.server.ts";
import { storedDocumentName, fileExtension, UPLOAD_MESSAGES } from "../document-file-rules.ts";
import { type UploadValues, uploadSchema } from "../document-schemas.ts";
import { createUploadSizeLimiter, type UploadSizeLimiter } from "./upload-size-limiter.server.ts";
import { storageRefusal } from "../storage-refusals.server.ts";
import { createStorageKey, fileStore } from "../../files/configured-file-store.server.ts";
import { writeEncryptedFile } from "../../files/encrypted-files.server.ts";
import { scanForViruses, recordScanRefusal } from "../../files/virus-scan.server.ts";

/** A stored file without a document record yet. */
type StoredUpload = {
  filePath: string;
  fileName: string;
  fileType: string;
  fileSize: number;
  sha256: string;
  wrappedDataKey: string;
  keyId: string | null;
};

type UploadState = { stored?: StoredUpload; size?: UploadSizeLimiter };

/**
 * Streams an upload into the storage and inserts its document record, for the person's own family or for the family
 * that the administrator names. The file is scanned for viruses while it is written. It is written before the record is
 * inserted, so that a record always has its file. A failure leaves neither. Stores the form's text fields in `fields`,
 * even if the upload is refused.
 * `isStillSignedIn` and the connection are checked right before the insert, because when a sender cancels an upload,
 * even during the scan after the last byte, the page says that nothing was saved. Throws UploadAbortedError if the
 * connection is closed.
 */
export async function storeUpload(
  person: Person,
  request: IncomingMessage,
  fields: RawUploadFields,
  isStillSignedIn: () => Promise<boolean>,
): Promise<Outcome<Document>> {
  const uploadState: UploadState = {};
  try {
    const precheckRefusal = await precheckUpload(person, request);
    if (precheckRefusal) return precheckRefusal;
    const stored = await parseUploadForm(
      request,
      fields,
      async (file) => (uploadState.stored = await storeFile(person, file, { ...fields }, uploadState)),
    ).finally(() => uploadState.size?.release());
    const validated = validateUploadFields(person, fields, stored !== null);
    if (validated.ok && stored) {
      const recorded = await insertDocumentIfAllowed(person, stored, validated.value, { request, isStillSignedIn });
      if (!recorded.ok) await deleteStoredFile(stored);
      return recorded;
    }
    if (stored) await deleteStoredFile(stored);
    return validated.ok ? refused("invalid", UPLOAD_MESSAGES.noFile) : validated;
  } catch (error) {
    if (uploadState.stored) await deleteStoredFile(uploadState.stored);
    if (error instanceof UploadRejectedError) return error.refusal;
    const scanFailureRefusal = await recordScanRefusal(error, person.id, "file");
    if (scanFailureRefusal) return scanFailureRefusal;
    const refusal = storageRefusal(error);
    if (!refusal) throw error;
    logError(error, "a document's upload");
    return refusal;
  }
}

/** Validates the form without a database query. Each problem is listed under its field. */
function validateUploadFields(person: Person, fields: RawUploadFields, hasFile: boolean): Outcome<UploadValues> {
  const noFileErrors = { file: [UPLOAD_MESSAGES.noFile] };
  const validated = validateFields(uploadSchema, fields);
  if (!validated.ok)
    return hasFile
      ? validated
      : { ...validated, message: UPLOAD_MESSAGES.noFile, errors: { ...noFileErrors, ...validated.errors } };
  if (!hasFile) return refused("invalid", UPLOAD_MESSAGES.noFile, noFileErrors);
  if (person.isAdmin && validated.value.userId === undefined) return invalidField("userId", "Choose a family.");
  return validated;
}

async function storeFile(
  person: Person,
  file: IncomingFile,
  fields: RawUploadFields,
  uploadState: UploadState,
): Promise<StoredUpload> {
  const typeResult = contentTypeFromName(file.name);
  if (!typeResult.ok) throw new UploadRejectedError(typeResult);
  // Fields that come before the file are checked before it is stored.
  const earlyValidation = fields.customFileName === undefined ? null : validateUploadFields(person, fields, true);
  if (earlyValidation?.ok === false) throw new UploadRejectedError(earlyValidation);
  const familyId = person.isAdmin ? (earlyValidation?.ok ? earlyValidation.value.userId : undefined) : person.id;
  uploadState.size = createUploadSizeLimiter(person, familyId);

  const { type, content } = await sniffType(file.name, uploadState.size.limit(file.bytes));
  const filePath = createStorageKey();
  const { dataKey, wrappedKey } = createDataKey();
  const { size, sha256 } = await writeEncryptedFile(filePath, dataKey, scanForViruses(content));
  return { filePath, fileName: file.name, fileType: type, fileSize: size, sha256, ...wrappedKey };
}

/** Detects the type from the first 64 KiB. The returned content includes these bytes. */
async function sniffType(name: string, chunks: AsyncGenerator<Buffer>) {
  const head: Buffer[] = [];
  let length = 0;
  while (length < SAMPLE_BYTES) {
    const { value, done } = await chunks.next();
    if (done) break;
    head.push(value);
    length += value.length;
  }
  if (length === 0) throw new UploadRejectedError(invalidField("file", UPLOAD_MESSAGES.empty));
  const type = await resolveVerifiedContentType(name, Buffer.concat(head).subarray(0, SAMPLE_BYTES));
  if (!type.ok) throw new UploadRejectedError(type);
  async function* content() {
    yield* head;
    yield* chunks;
  }
  return { type: type.value, content: content() };
}

async function insertDocumentIfAllowed(
  person: Person,
  stored: StoredUpload,
  fields: UploadValues,
  { request, isStillSignedIn }: { request: IncomingMessage; isStillSignedIn: () => Promise<boolean> },
): Promise<Outcome<Document>> {
  const userId = person.isAdmin ? (fields.userId ?? 0) : person.id;
  const { appointmentId = null, description = null } = fields;
  if (!(await isStillSignedIn())) return notSignedInRefusal();
  return inTransaction(async (transaction) => {
    const refusal =
      (await lockFamilyAndAppointment(transaction, userId, appointmentId)) ??
      (await recheckQuota(transaction, person, { userId, bytes: stored.fileSize }));
    if (refusal) return refusal;
    if (request.socket.destroyed) throw new UploadAbortedError("The sender left.");
    const document = await transaction.document.create({
      data: {
        ...stored,
        fileName: storedDocumentName(fields.customFileName, fileExtension(stored.fileName)),
        userId,
        appointmentId,
        description,
        isSharedWithClient: person.isAdmin ? fields.isSharedWithClient : true,
        uploadedById: person.id,
        uploadedAt: now(),
      },
      select: DOCUMENT_SELECT,
    });
    if (document.isSharedWithClient) await notifyDocumentAdded(transaction, person, userId);
    recordAuditInTransaction(transaction, {
      action: "document-uploaded",
      actorId: person.id,
      familyId: userId,
      objectId: document.id,
    });
    return accepted(document);
  });
}

/**
 * Locks the rows of the family and the visit, so that neither is deleted before the document is inserted, and so that
 * concurrent uploads can't exceed the quota together. Refuses with notFound if the family is unknown, or if the
 * appointment is unknown or belongs to another family.
 */
async function lockFamilyAndAppointment(
  transaction: Transaction,
  userId: number,
  appointmentId: number | null,
): Promise<Refusal | null> {
  if (!(await lockAccountRow(transaction, userId, { isFamily: true })))
    return refused("notFound", "There is no such family.", { userId: ["There is no such family."] });
  if (appointmentId === null) return null;
  const lockedAppointments = await transaction.appointment.updateMany({
    where: { id: appointmentId, userId },
    data: { userId },
  });
  return lockedAppointments.count === 1
    ? null
    : refused("notFound", "There is no such appointment.", { appointmentId: ["There is no such appointment."] });
}

async function deleteStoredFile({ filePath }: StoredUpload): Promise<void> {
  await fileStore.remove(filePath).catch((error: unknown) => logError(error, `removing the file ${filePath}`));
}
