import { open as openFile, rename, rm, writeFile } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { Database } from "better-sqlite3";
import { PICTURE, removeLeftovers } from "./leftovers.server.ts";
import { OperatorError } from "../operator-error.ts";
import { type Frame, splitIntoChunks } from "./format.server.ts";
import { type DatabaseSnapshot, type RestoredFiles, isProductTable, type RestoreTarget } from "./snapshot.server.ts";

/**
 * A picture of the database as it is now, while others go on writing; `scratch` receives it. `VACUUM INTO` reads in one
 * transaction, which in WAL mode holds nobody up, and leaves out what was deleted. Its file has no name as soon as it is
 * whole, so that it is gone with the process; what one that was killed before left behind is removed first.
 */
export async function snapshotSqlite(url: string): Promise<DatabaseSnapshot> {
  await removeLeftovers();
  const scratchPath = `${databasePath(url)}${PICTURE}${process.pid}`;
  await writeFile(scratchPath, "", { mode: 0o600 });
  const openDatabase = await loadDriver();
  const liveDatabase = openDatabase(databasePath(url), { readonly: true, fileMustExist: true });
  try {
    liveDatabase.prepare("VACUUM INTO ?").run(scratchPath);
  } catch (error) {
    await rm(scratchPath, { force: true });
    throw error;
  } finally {
    liveDatabase.close();
  }
  const snapshot = openDatabase(scratchPath, { readonly: true });
  const migrations = snapshot.prepare("SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL");
  const documents = snapshot.prepare(
    "SELECT id, filePath, fileSize, fileKey, keyId, sha256 FROM documents ORDER BY id",
  );
  const contents = {
    provider: "sqlite" as const,
    migrations: migrations.pluck().all() as string[],
    documents: documents.all() as DatabaseSnapshot["documents"],
    tables: countRows(snapshot),
    sequences: {},
  };
  snapshot.close();
  const file = await openFile(scratchPath, "r");
  await rm(scratchPath, { force: true });
  return { ...contents, frames: () => databaseFrames(file), close: () => file.close() };
}

async function* databaseFrames(file: FileHandle): AsyncGenerator<Frame> {
  yield { kind: "database" };
  yield* splitIntoChunks(file.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>);
}

/** The new database is made beside the old one and takes its name at the very end. */
export function sqliteTarget(url: string): RestoreTarget {
  const file = databasePath(url);
  const temporaryPath = `${file}-restoring`;
  const removeAll = async (name: string) => {
    for (const trailer of ["", "-wal", "-shm", "-journal"]) await rm(name + trailer, { force: true });
  };
  return {
    async inspect() {
      const openDatabase = await loadDriver();
      let database: Database | undefined;
      try {
        database = openDatabase(file, { fileMustExist: true, timeout: 0 });
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
    async replace(frames, restoredFiles, trailer) {
      await removeAll(temporaryPath);
      try {
        await writeFile(temporaryPath, bytesOnly(frames), { mode: 0o600, flush: true });
        await finishRestore(temporaryPath, restoredFiles, trailer.gone);
        await removeAll(file);
        await rename(temporaryPath, file);
      } finally {
        await removeAll(temporaryPath);
      }
      const restored = (await loadDriver())(file, { readonly: true });
      const counts = countRows(restored);
      restored.close();
      return counts;
    },
  };
}

async function finishRestore(file: string, restoredFiles: RestoredFiles, gone: number[]): Promise<void> {
  const database = (await loadDriver())(file);
  try {
    database.pragma("foreign_keys = ON");
    const integrity = database.pragma("integrity_check", { simple: true });
    if (integrity !== "ok") throw new OperatorError(`The database in the backup is not whole: ${String(integrity)}`);
    const updateStatement = database.prepare("UPDATE documents SET filePath = ?, fileKey = ?, keyId = ? WHERE id = ?");
    const deleteStatement = database.prepare("DELETE FROM documents WHERE id = ?");
    database.transaction(() => {
      for (const [id, { filePath, fileKey, keyId }] of restoredFiles) updateStatement.run(filePath, fileKey, keyId, id);
      for (const id of gone) deleteStatement.run(id);
    })();
  } finally {
    database.close();
  }
}

function countRows(database: Database): Record<string, number> {
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const count = (name: string) => database.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number;
  return Object.fromEntries(names.filter(isProductTable).map((name) => [name, count(name)]));
}

/** Loaded when it is asked for: a start on the other database does without. */
async function loadDriver() {
  const { default: Driver } = await import("better-sqlite3");
  return (...options: ConstructorParameters<typeof Driver>): Database => new Driver(...options);
}

async function* bytesOnly(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  for await (const frame of frames) if (Buffer.isBuffer(frame)) yield frame;
}

function databasePath(url: string): string {
  return url.slice("file:".length);
}
