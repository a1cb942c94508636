import { Readable } from "node:stream";
import type { ZipFile } from "yazl";
import { fullName, type Person } from "../accounts/person.ts";
import { db } from "../db.server.ts";
import { parseId } from "../http/fields.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { archiveName, uniqueArchiveNames } from "./archive-path.ts";
import { findIntakeDocument, seenBy, SHOWN, unknownDocument } from "./documents.server.ts";
import { copied, handedOn, type HandedOn } from "./handed-on.server.ts";
import { FILE, type FileRecord, openDocument } from "./read.server.ts";
import { isIntake } from "./send.server.ts";

const MOST_DOCUMENTS = 200;

/**
 * The chosen documents in one archive that is made as it is read; each file is opened only when its turn comes. One that
 * is not the person's to see is as unknown as one that never was; one that is damaged ends the archive.
 */
export async function archiveDocuments(person: Person, idTexts: string[]): Promise<Outcome<HandedOn>> {
  const chosen = [...new Set(idTexts)];
  if (chosen.length > MOST_DOCUMENTS) return refused("tooLarge", `Choose at most ${MOST_DOCUMENTS} documents.`);
  const ids = chosen.filter((text) => !isIntake(text)).map((text) => parseId(text));
  const rows = await db.document.findMany({
    where: { ...seenBy(person), id: { in: ids.filter((id) => id !== null) } },
    orderBy: { id: "asc" },
    select: { ...SHOWN, ...FILE, user: { select: { firstName: true, lastName: true } } },
  });
  const intake = chosen.some(isIntake) ? await findIntakeDocument(person) : null;
  if (rows.length !== ids.length || intake?.ok === false) return unknownDocument();

  const { ZipFile: Archive } = await import("yazl");
  const archive = new Archive();
  const nameOf = uniqueArchiveNames();
  const open = new Set<Readable>();
  if (intake?.ok) archive.addBuffer(Buffer.from(intake.value.text), nameOf(intake.value.document.fileName));
  for (const { user, ...document } of rows) {
    const folder = person.isAdmin ? `${archiveName(fullName(user))} (${document.userId})/` : "";
    addDocument(archive, open, document, nameOf(document.fileName, folder));
  }
  const output = archive.outputStream as Readable;
  // Heard from the start: a first file that can't be opened fails before anybody reads.
  output.on("error", () => {});
  archive.on("error", (error: Error) => output.destroy(error));
  archive.end();
  return accepted(bytesOf(output, open));
}

function addDocument(archive: ZipFile, open: Set<Readable>, document: FileRecord & { uploadedAt: Date }, name: string) {
  // Nearly all of what families send is compressed already.
  const options = { compress: false, mtime: document.uploadedAt, size: document.fileSize };
  archive.addReadStreamLazy(name, options, (take) => {
    const give = async () => {
      const opened = await openDocument(document);
      if (!opened.ok) throw new Error(opened.message);
      if ((archive.outputStream as Readable).destroyed) return void (await opened.value.end());
      const bytes = Readable.from(copied(opened.value), { objectMode: false });
      open.add(bytes);
      bytes.once("close", () => open.delete(bytes));
      bytes.on("error", (error) => archive.emit("error", error));
      take(null, bytes);
    };
    give().catch((error: unknown) => take(error, Readable.from([])));
  });
}

/** A reader who leaves half-way leaves no file open. */
function bytesOf(output: Readable, open: Set<Readable>): HandedOn {
  const parts = output[Symbol.asyncIterator]() as AsyncIterator<Buffer, void>;
  const end = async () => {
    output.destroy();
    for (const bytes of open) bytes.destroy();
  };
  return handedOn(() => parts.next(), end);
}
