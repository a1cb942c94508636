import type { IncomingMessage } from "node:http";
import { validate } from "../accounts/doors.server.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db, inTransaction } from "../db.server.ts";
import { logError } from "../http/failure.server.ts";
import { accepted, invalid, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { SAMPLE_BYTES, typeOfFile, typeOfName } from "./content-type.server.ts";
import { type Document, SHOWN } from "./documents.server.ts";
import { makeLock } from "./locks.server.ts";
import { type Fields, type IncomingFile, readMultipart, UploadRefused } from "./multipart.server.ts";
import { type Quota, quotaExceeded, quotaOf, refuseBeforehand, reserveQuota } from "./quota.server.ts";
import { documentName, extensionOf, LARGEST_FILE_BYTES, SAYS } from "./rules.ts";
import { type UploadFields, uploadShape } from "./shapes.ts";
import { storeFailure } from "./store-errors.server.ts";
import { newStorageKey, store } from "./store.server.ts";
import { keepFile } from "./vault.server.ts";

/** A file that is in the store, and not yet anybody's document. */
type Kept = {
  filePath: string;
  fileName: string;
  fileType: string;
  fileSize: number;
  sha256: string;
  fileKey: string;
  keyId: string | null;
};

/**
 * Takes one file as it arrives and makes it a document: of the person's family, or of the one the administrator names.
 * The file is written first and the record last, so a record always has its file; whatever goes wrong leaves neither.
 * What the form says is put into `fields`, also when it is refused. `stillSignedIn` is asked just before the record is written. Throws UploadAborted when the sender left.
 */
export async function upload(
  person: Person,
  request: IncomingMessage,
  fields: Fields,
  stillSignedIn: () => Promise<boolean>,
): Promise<Outcome<Document>> {
  const held: { kept?: Kept } = {};
  try {
    const beforehand = await refuseBeforehand(person, request);
    if (beforehand) return beforehand;
    const taken = await readMultipart(
      request,
      fields,
      async (file) => (held.kept = await keep(person, file, { ...fields })),
    );
    const checked = checkUpload(person, fields, taken !== null);
    if (checked.ok && taken) {
      const recorded = await record(person, taken, checked.value, stillSignedIn);
      if (!recorded.ok) await discard(taken);
      return recorded;
    }
    if (taken) await discard(taken);
    return checked.ok ? refused("invalid", SAYS.noFile) : checked;
  } catch (error) {
    if (held.kept) await discard(held.kept);
    if (error instanceof UploadRefused) return error.refusal;
    const failed = storeFailure(error);
    if (!failed) throw error;
    logError(error, "a document's upload");
    return failed;
  }
}

/** Everything that can be said of a form without looking anything up; each mistake under its field. */
function checkUpload(person: Person, fields: Fields, hasFile: boolean): Outcome<UploadFields> {
  const noFile = { file: [SAYS.noFile] };
  const checked = validate(uploadShape, fields);
  if (!checked.ok)
    return hasFile ? checked : { ...checked, message: SAYS.noFile, errors: { ...noFile, ...checked.errors } };
  if (!hasFile) return refused("invalid", SAYS.noFile, noFile);
  if (person.isAdmin && checked.value.userId === undefined) return invalid("userId", "Choose a family.");
  return checked;
}

async function keep(person: Person, file: IncomingFile, fields: Fields): Promise<Kept> {
  const named = typeOfName(file.name);
  if (!named.ok) throw new UploadRefused(named);
  // A form that names the document before the file is told at once what is wrong with the name.
  const early = fields.customFileName === undefined ? null : checkUpload(person, fields, true);
  if (early?.ok === false) throw new UploadRefused(early);
  const familyId = person.isAdmin ? (early?.ok ? early.value.userId : undefined) : person.id;
  const quota = familyId === undefined ? null : await quotaOf(person, familyId);

  const { type, whole } = await begin(file.name, measured(file.bytes, quota));
  const filePath = newStorageKey();
  const { lock, kept } = makeLock();
  const { size, sha256 } = await keepFile(filePath, lock, whole);
  return { filePath, fileName: file.name, fileType: type, fileSize: size, sha256, ...kept };
}

/** Counts what passes; one byte too many ends it. */
async function* measured(bytes: AsyncIterable<Buffer>, quota: Quota | null): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const part of bytes) {
    count += part.length;
    if (count > LARGEST_FILE_BYTES)
      throw new UploadRefused(refused("tooLarge", SAYS.tooLarge, { file: [SAYS.tooLarge] }));
    if (quota && count > quota.bytesLeft) throw new UploadRefused(quotaExceeded(quota));
    yield part;
  }
}

/** Reads as much of the file as tells its type, and gives all of it on, the beginning included. */
async function begin(name: string, parts: AsyncGenerator<Buffer>) {
  const head: Buffer[] = [];
  let length = 0;
  while (length < SAMPLE_BYTES) {
    const { value, done } = await parts.next();
    if (done) break;
    head.push(value);
    length += value.length;
  }
  if (length === 0) throw new UploadRefused(invalid("file", SAYS.empty));
  const type = await typeOfFile(name, Buffer.concat(head).subarray(0, SAMPLE_BYTES));
  if (!type.ok) throw new UploadRefused(type);
  async function* whole() {
    yield* head;
    yield* parts;
  }
  return { type: type.value, whole: whole() };
}

async function record(
  person: Person,
  kept: Kept,
  fields: UploadFields,
  stillSignedIn: () => Promise<boolean>,
): Promise<Outcome<Document>> {
  const userId = person.isAdmin ? (fields.userId ?? 0) : person.id;
  const { appointmentId = null, description = null } = fields;
  const refusal = await refuseTarget(person, userId, appointmentId);
  if (refusal) return refusal;
  if (!(await stillSignedIn())) return refused("unauthorized", "Unauthorized");
  return inTransaction(async (transaction) => {
    const full = await reserveQuota(transaction, person, { userId, bytes: kept.fileSize });
    if (full) return full;
    const document = await transaction.document.create({
      data: {
        ...kept,
        fileName: documentName(fields.customFileName, extensionOf(kept.fileName)),
        userId,
        appointmentId,
        description,
        isSharedWithClient: person.isAdmin ? fields.isSharedWithClient : true,
        uploadedById: person.id,
        uploadedAt: now(),
      },
      select: SHOWN,
    });
    return accepted(document);
  });
}

/** Another family's appointment is as unknown as one that never was. */
async function refuseTarget(person: Person, userId: number, appointmentId: number | null): Promise<Refusal | null> {
  if (person.isAdmin && !(await db.user.findFirst({ where: { id: userId, isAdmin: false }, select: { id: true } }))) {
    return refused("notFound", "There is no such family.", { userId: ["There is no such family."] });
  }
  if (appointmentId === null) return null;
  const own = await db.appointment.findFirst({ where: { id: appointmentId, userId }, select: { id: true } });
  return own
    ? null
    : refused("notFound", "There is no such appointment.", { appointmentId: ["There is no such appointment."] });
}

async function discard({ filePath }: Kept): Promise<void> {
  await store.remove(filePath).catch((error: unknown) => logError(error, `removing the file ${filePath}`));
}
