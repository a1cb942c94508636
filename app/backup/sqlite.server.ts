import { open as openFile, rename, rm, writeFile } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { Database } from "better-sqlite3";
import { PICTURE, removeLeftovers } from "./leftovers.server.ts";
import { OperatorError } from "../start-error.ts";
import { type Frame, inSmallParts } from "./frames.server.ts";
import { type Contents, type Found, isOurs, type Target } from "./contents.server.ts";

/**
 * A picture of the database as it is now, while others go on writing; `scratch` receives it. `VACUUM INTO` reads in one
 * transaction, which in WAL mode holds nobody up, and leaves out what was deleted. Its file has no name as soon as it is
 * whole, so that it is gone with the process; what one that was killed before left behind is removed first.
 */
export async function readSqlite(url: string): Promise<Contents> {
  await removeLeftovers();
  const scratch = `${fileOf(url)}${PICTURE}${process.pid}`;
  await writeFile(scratch, "", { mode: 0o600 });
  const open = await driver();
  const live = open(fileOf(url), { readonly: true, fileMustExist: true });
  try {
    live.prepare("VACUUM INTO ?").run(scratch);
  } catch (error) {
    await rm(scratch, { force: true });
    throw error;
  } finally {
    live.close();
  }
  const picture = open(scratch, { readonly: true });
  const migrations = picture.prepare("SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL");
  const documents = picture.prepare("SELECT id, filePath, fileSize, fileKey, keyId, sha256 FROM documents ORDER BY id");
  const contents = {
    provider: "sqlite" as const,
    migrations: migrations.pluck().all() as string[],
    documents: documents.all() as Contents["documents"],
    tables: countRows(picture),
    sequences: {},
  };
  picture.close();
  const file = await openFile(scratch, "r");
  await rm(scratch, { force: true });
  return { ...contents, frames: () => bytesOf(file), close: () => file.close() };
}

async function* bytesOf(file: FileHandle): AsyncGenerator<Frame> {
  yield { kind: "database" };
  yield* inSmallParts(file.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>);
}

/** The new database is made beside the old one and takes its name at the very end. */
export function sqliteTarget(url: string): Target {
  const file = fileOf(url);
  const coming = `${file}-restoring`;
  const removeAll = async (name: string) => {
    for (const end of ["", "-wal", "-shm", "-journal"]) await rm(name + end, { force: true });
  };
  return {
    async look() {
      const open = await driver();
      let database: Database | undefined;
      try {
        database = open(file, { fileMustExist: true, timeout: 0 });
        // Only its last user can end the write-ahead log: everybody else has the file open.
        database.pragma("journal_mode = DELETE");
        return countRows(database);
      } catch (error) {
        if (/unable to open|directory does not exist/.test(String(error))) return {};
        if (/locked/.test(String(error)))
          throw new OperatorError("The product is running on this database. Stop it first.");
        throw error;
      } finally {
        database?.close();
      }
    },
    async put(frames, found, end) {
      await removeAll(coming);
      try {
        await writeFile(coming, onlyBytes(frames), { mode: 0o600, flush: true });
        await finish(coming, found, end.gone);
        await removeAll(file);
        await rename(coming, file);
      } finally {
        await removeAll(coming);
      }
      const restored = (await driver())(file, { readonly: true });
      const counts = countRows(restored);
      restored.close();
      return counts;
    },
  };
}

async function finish(file: string, found: Found, gone: number[]): Promise<void> {
  const database = (await driver())(file);
  try {
    database.pragma("foreign_keys = ON");
    const verdict = database.pragma("integrity_check", { simple: true });
    if (verdict !== "ok") throw new OperatorError(`The database in the backup is not whole: ${String(verdict)}`);
    const place = database.prepare("UPDATE documents SET filePath = ?, fileKey = ?, keyId = ? WHERE id = ?");
    const drop = database.prepare("DELETE FROM documents WHERE id = ?");
    database.transaction(() => {
      for (const [id, { filePath, fileKey, keyId }] of found) place.run(filePath, fileKey, keyId, id);
      for (const id of gone) drop.run(id);
    })();
  } finally {
    database.close();
  }
}

function countRows(database: Database): Record<string, number> {
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const count = (name: string) => database.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number;
  return Object.fromEntries(names.filter(isOurs).map((name) => [name, count(name)]));
}

/** Loaded when it is asked for: a start on the other database does without. */
async function driver() {
  const { default: Driver } = await import("better-sqlite3");
  return (...options: ConstructorParameters<typeof Driver>): Database => new Driver(...options);
}

async function* onlyBytes(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  for await (const frame of frames) if (Buffer.isBuffer(frame)) yield frame;
}

function fileOf(url: string): string {
  return url.slice("file:".length);
}
