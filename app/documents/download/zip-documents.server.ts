import { recordAuditRead } from "../../audit/record-audit.server.ts";
import { fullName, type Person } from "../../accounts/person.ts";
import { db } from "../../db/database-client.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { safeEntryName, createEntryNamer } from "./archive-entry-names.ts";
import {
  findIntakeDocument,
  visibleDocumentsCondition,
  DOCUMENT_SELECT,
  documentNotFoundRefusal,
} from "../documents.server.ts";
import { cloneChunks, type ClosableStream } from "../../files/closable-stream.server.ts";
import { DOWNLOAD_SELECT, infectedFileRefusal, openDocumentFileUnlessInfected } from "./open-document-file.server.ts";
import { type ArchiveEntry, streamArchive } from "./stream-archive.server.ts";
import { markDocumentsOpened } from "../document-review.server.ts";
import { isIntakeDocumentId } from "./serve-document.server.ts";

const MAX_ARCHIVE_DOCUMENTS = 200;
/**
 * Maximum number of documents without asking for the password again. More documents, or documents of several families,
 * are an export. Source: docs/product.md, Asked once more.
 */
const MAX_UNCONFIRMED_DOCUMENTS = 20;

/**
 * Returns whether these documents are as much as an export, before which the administrator must enter the password or
 * code again: more than 20 documents, or documents of more than one family.
 */
export async function isExportSizedSelection(person: Person, idTexts: string[]): Promise<boolean> {
  if (!person.isAdmin) return false;
  const ids = [...new Set(idTexts)].map((text) => parseId(text)).filter((id) => id !== null);
  if (ids.length > MAX_UNCONFIRMED_DOCUMENTS) return true;
  const where = { ...visibleDocumentsCondition(person), id: { in: ids } };
  return (await db.document.findMany({ where, distinct: ["userId"], take: 2, select: { userId: true } })).length > 1;
}

/**
 * Streams the chosen documents as one ZIP archive; each file is opened when the archive reaches it. Refuses with
 * notFound if the person may not see one of them, conflict if one may contain a virus, and tooLarge above 200. A damaged file aborts the archive.
 */
export async function zipDocuments(
  person: Person,
  idTexts: string[],
  { isRead }: { isRead: boolean },
): Promise<Outcome<ClosableStream>> {
  const chosenIds = [...new Set(idTexts)];
  if (chosenIds.length > MAX_ARCHIVE_DOCUMENTS)
    return refused("tooLarge", `Choose at most ${MAX_ARCHIVE_DOCUMENTS} documents.`);
  const ids = chosenIds.filter((text) => !isIntakeDocumentId(text)).map((text) => parseId(text));
  const rows = await db.document.findMany({
    where: { ...visibleDocumentsCondition(person), id: { in: ids.filter((id) => id !== null) } },
    orderBy: { id: "asc" },
    select: {
      ...DOCUMENT_SELECT,
      ...DOWNLOAD_SELECT,
      reviewedAt: true,
      openedByFamilyAt: true,
      user: { select: { firstName: true, lastName: true } },
    },
  });
  const intake = chosenIds.some(isIntakeDocumentId) ? await findIntakeDocument(person) : null;
  if (rows.length !== ids.length || intake?.ok === false) return documentNotFoundRefusal();
  const infected = rows.find(infectedFileRefusal);
  if (infected)
    return refused("conflict", `${infected.fileName} may contain a virus. Choose the documents without it.`);

  if (isRead) {
    const documents = rows.map(({ id, userId }) => ({
      action: "document-downloaded" as const,
      familyId: userId,
      objectId: id,
    }));
    await recordAuditRead(
      ...documents,
      ...(intake ? [{ action: "intake-downloaded" as const, familyId: person.id }] : []),
    );
    await markDocumentsOpened(person, rows);
  }
  const nameEntry = createEntryNamer();
  async function* entries(): AsyncGenerator<ArchiveEntry> {
    if (intake?.ok) {
      const { text, document } = intake.value;
      yield {
        name: nameEntry(document.fileName),
        content: yieldOnce(text),
        modifiedAt: document.uploadedAt,
        isText: true,
      };
    }
    for (const { user, ...document } of rows) {
      const folder = person.isAdmin ? `${safeEntryName(fullName(user))} (${document.userId})/` : "";
      const opened = await openDocumentFileUnlessInfected(document);
      if (!opened.ok) throw new Error(opened.message);
      const { fileName, fileSize: size, uploadedAt: modifiedAt } = document;
      yield { name: nameEntry(fileName, folder), content: cloneChunks(opened.value), modifiedAt, size };
    }
  }
  return accepted(await streamArchive(entries()));
}

async function* yieldOnce(text: string): AsyncGenerator<string> {
  yield text;
}
