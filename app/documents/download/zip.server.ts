import { Readable } from "node:stream";
import type { ZipFile } from "yazl";
import { fullName, type Person } from "../../accounts/person.ts";
import { db } from "../../db/client.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { archiveName, uniqueArchiveNames } from "./archive-path.ts";
import { findIntakeDocument, visibleTo, DOCUMENT_SELECT, documentNotFound } from "../documents.server.ts";
import { copyChunks, closableStream, type ClosableStream } from "../../files/closable-stream.server.ts";
import { FILE_COLUMNS, type FileRecord, openDocumentFile } from "./open-document-file.server.ts";
import { isIntakeId } from "./download.server.ts";

const MAX_DOCUMENTS = 200;

/**
 * Streams the chosen documents as one ZIP archive; each file is opened when the archive reaches it. Refuses with
 * notFound if the person may not see one of them, and with tooLarge above 200. A damaged file aborts the archive.
 */
export async function zipDocuments(person: Person, idTexts: string[]): Promise<Outcome<ClosableStream>> {
  const chosenIds = [...new Set(idTexts)];
  if (chosenIds.length > MAX_DOCUMENTS) return refused("tooLarge", `Choose at most ${MAX_DOCUMENTS} documents.`);
  const ids = chosenIds.filter((text) => !isIntakeId(text)).map((text) => parseId(text));
  const rows = await db.document.findMany({
    where: { ...visibleTo(person), id: { in: ids.filter((id) => id !== null) } },
    orderBy: { id: "asc" },
    select: { ...DOCUMENT_SELECT, ...FILE_COLUMNS, user: { select: { firstName: true, lastName: true } } },
  });
  const intake = chosenIds.some(isIntakeId) ? await findIntakeDocument(person) : null;
  if (rows.length !== ids.length || intake?.ok === false) return documentNotFound();

  const { ZipFile: Archive } = await import("yazl");
  const zip = new Archive();
  const nameOf = uniqueArchiveNames();
  const openStreams = new Set<Readable>();
  if (intake?.ok) zip.addBuffer(Buffer.from(intake.value.text), nameOf(intake.value.document.fileName));
  for (const { user, ...document } of rows) {
    const folder = person.isAdmin ? `${archiveName(fullName(user))} (${document.userId})/` : "";
    addDocument(zip, openStreams, document, nameOf(document.fileName, folder));
  }
  const output = zip.outputStream as Readable;
  // Without this listener, a first file that can't be opened would throw before anybody reads.
  output.on("error", () => {});
  zip.on("error", (error: Error) => output.destroy(error));
  zip.end();
  return accepted(toClosableStream(output, openStreams));
}

function addDocument(
  zip: ZipFile,
  openStreams: Set<Readable>,
  document: FileRecord & { uploadedAt: Date },
  name: string,
) {
  // Nearly all uploads are compressed formats.
  const options = { compress: false, mtime: document.uploadedAt, size: document.fileSize };
  zip.addReadStreamLazy(name, options, (onStream) => {
    const provideStream = async () => {
      const opened = await openDocumentFile(document);
      if (!opened.ok) throw new Error(opened.message);
      if ((zip.outputStream as Readable).destroyed) return void (await opened.value.close());
      const stream = Readable.from(copyChunks(opened.value), { objectMode: false });
      openStreams.add(stream);
      stream.once("close", () => openStreams.delete(stream));
      stream.on("error", (error) => zip.emit("error", error));
      onStream(null, stream);
    };
    provideStream().catch((error: unknown) => onStream(error, Readable.from([])));
  });
}

/** Closes all open files when the reader leaves early. */
function toClosableStream(output: Readable, openStreams: Set<Readable>): ClosableStream {
  const iterator = output[Symbol.asyncIterator]() as AsyncIterator<Buffer, void>;
  const close = async () => {
    output.destroy();
    for (const stream of openStreams) stream.destroy();
  };
  return closableStream(() => iterator.next(), close);
}
