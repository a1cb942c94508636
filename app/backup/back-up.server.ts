import { createHash } from "node:crypto";
import path from "node:path";
import { now } from "../clock.ts";
import { db } from "../db.server.ts";
import { FILE, openDocument } from "../documents/read.server.ts";
import { BrokenFile } from "../documents/segments.server.ts";
import { env } from "../env.server.ts";
import { exportTextKeys } from "../sealed-text.server.ts";
import { OperatorError } from "../start-error.ts";
import type { Contents } from "./contents.server.ts";
import { type End, type Frame, inSmallParts } from "./frames.server.ts";
import { nameFor, openBackup, place, writeFileAt } from "./places.server.ts";
import { readPostgresql } from "./postgresql.server.ts";
import { noteRun } from "./record.server.ts";
import { sealed } from "./sealed.server.ts";
import { readSqlite } from "./sqlite.server.ts";

/**
 * Writes one encrypted file with the database, as it is at one moment, and every document of that moment; the product may
 * run and be used meanwhile. Goes to BACKUP_STORAGE, or to `target`. How it went is written down (record.server.ts).
 * Throws StartError with a readable line; an unfinished file is never left under its name.
 */
export async function backUp(target?: string): Promise<{ words: string; broken: number[] }> {
  const moment = now();
  const file = target ? path.basename(target) : nameFor(moment);
  try {
    const contents = await readContents();
    const end = endOf(contents);
    const source = sealed(framesOf(contents, moment, end));
    try {
      await (target ? writeFileAt(target, source) : place.write(file, source));
    } finally {
      await contents.close();
    }
    const bytes = await sizeOf(target ?? file);
    if (!target) await place.thin(env.backups.retention);
    const words = `${file} holds ${rowsIn(end)} records and ${end.documents} documents.${problemIn(end)}`;
    await noteRun("backup", { isGood: end.broken.length === 0, words, file, bytes });
    return { words: `${words} It has ${bytes} bytes.`, broken: end.broken };
  } catch (error) {
    await noteRun("backup", { isGood: false, words: (error as Error).message, file }).catch(() => {});
    throw error;
  }
}

function readContents(): Promise<Contents> {
  if (!env.databaseUrl.startsWith("file:")) return readPostgresql(env.databaseUrl);
  return readSqlite(env.databaseUrl);
}

async function* framesOf(contents: Contents, moment: Date, end: End): AsyncGenerator<Frame> {
  const { provider, migrations } = contents;
  yield { kind: "about", provider, at: moment.toISOString(), migrations, textKeys: exportTextKeys() };
  yield* contents.frames();
  for (const document of contents.documents) yield* documentFrames(document, end);
  yield end;
}

/**
 * One document. The database was read before: a record whose file is gone by now was deleted meanwhile, and is left out
 * when the backup is restored; one that still stands lost its file earlier, and stays.
 */
async function* documentFrames(
  { id, fileSize, sha256 }: Contents["documents"][number],
  end: End,
): AsyncGenerator<Frame> {
  const standing = () => db.document.findUnique({ where: { id }, select: FILE });
  const document = await standing();
  const opened = document && (await openDocument(document));
  if (!opened?.ok) {
    if (opened?.reason === "unavailable") throw new OperatorError("The store of the documents does not answer.");
    ((await standing()) ? end.broken : end.gone).push(id);
    return;
  }
  yield { kind: "document", id, size: fileSize };
  const hash = createHash("sha256");
  let isWhole = true;
  try {
    for await (const part of inSmallParts(opened.value)) {
      hash.update(part);
      yield part;
    }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    isWhole = false;
  }
  const read = hash.digest("hex");
  isWhole &&= sha256 === null || sha256 === read;
  yield { kind: "documentEnd", id, sha256: read, isWhole };
  if (isWhole) end.documents += 1;
  else ((await standing()) ? end.broken : end.gone).push(id);
}

function endOf({ tables, sequences }: Contents): End {
  return { kind: "end", tables, sequences, documents: 0, gone: [], broken: [] };
}

function rowsIn({ tables }: End): number {
  return Object.values(tables).reduce((sum, count) => sum + count, 0);
}

function problemIn({ broken }: End): string {
  return broken.length > 0 ? ` These documents are missing or damaged: ${broken.join(", ")}.` : "";
}

async function sizeOf(name: string): Promise<number> {
  const file = await openBackup(name);
  await file.close();
  return file.size;
}
