import { existsSync, realpathSync } from "node:fs";
import { open as openFile, rename, rm, writeFile, type FileHandle } from "node:fs/promises";
import type { Database } from "better-sqlite3";
import { SNAPSHOT_SUFFIX } from "./stale-backup-resources.server.ts";
import { OperatorError } from "../operator-error.ts";
import { createReplacedDatabaseReader } from "../db/replaced-database.ts";
import { type ErasedAccount, type ErasedAccountRow, toErasedAccount } from "./erased-accounts.server.ts";
import { type Frame, splitIntoChunks } from "./backup-frame-format.server.ts";
import { readRevocations } from "./revocations.server.ts";
import {
  type DatabaseSnapshot,
  ERASED_TABLE,
  type RestoredFiles,
  isApplicationTable,
  type RestoreTarget,
} from "./snapshot-types.server.ts";

/**
 * Takes a snapshot of the database during concurrent writes. `VACUUM INTO` copies it in one transaction, which in WAL
 * mode blocks no writer, and omits deleted data. The copy is unlinked as soon as it is complete and open, so that it
 * disappears when the process ends, and also when the snapshot fails.
 */
export async function snapshotSqlite(url: string): Promise<DatabaseSnapshot> {
  const scratchPath = `${databasePath(url)}${SNAPSHOT_SUFFIX}${process.pid}`;
  await writeFile(scratchPath, "", { mode: 0o600 });
  try {
    const openDatabase = await importSqliteOpener();
    copyAndCloseDatabase(scratchPath, openDatabase(databasePath(url), { readonly: true, fileMustExist: true }));
    const contents = readContentsAndClose(openDatabase(scratchPath, { readonly: true }));
    const file = await openFile(scratchPath, "r");
    return { ...contents, frames: () => databaseFrames(file), close: () => file.close() };
  } finally {
    await rm(scratchPath, { force: true });
  }
}

/** Copies the database into an empty file, and closes it. */
function copyAndCloseDatabase(scratchPath: string, liveDatabase: Database): void {
  try {
    // Otherwise the copy's pages keep duplicates of rows, which are not overwritten when a family is erased after a
    // restore.
    liveDatabase.pragma("secure_delete = ON");
    liveDatabase.prepare("VACUUM INTO ?").run(scratchPath);
  } finally {
    liveDatabase.close();
  }
}

/** Reads what the backup says of the copy, and closes it. */
function readContentsAndClose(snapshot: Database): Omit<DatabaseSnapshot, "frames" | "close"> {
  try {
    const migrations = snapshot.prepare("SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL");
    const documents = snapshot.prepare(
      "SELECT id, filePath, fileSize, fileKey AS wrappedDataKey, keyId, sha256 FROM documents ORDER BY id",
    );
    return {
      provider: "sqlite",
      migrations: migrations.pluck().all() as string[],
      documents: documents.all() as DatabaseSnapshot["documents"],
      tables: countRows(snapshot),
      sequences: {},
    };
  } finally {
    snapshot.close();
  }
}

async function* databaseFrames(file: FileHandle): AsyncGenerator<Frame> {
  yield { kind: "database" };
  yield* splitIntoChunks(file.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>);
}

/**
 * Opens the database exclusively for this process until it is closed. Throws OperatorError while the application is
 * running on it, and the driver's error if it does not exist.
 */
export async function openSqliteExclusively(url: string): Promise<Database> {
  const database = (await importSqliteOpener())(databasePath(url), { fileMustExist: true, timeout: 0 });
  try {
    // Only the last connection can leave WAL mode, so this fails while the application has the file open.
    database.pragma("journal_mode = DELETE");
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    if (/locked/.test(String(error)))
      throw new OperatorError("The product is running on this database. Stop it first.");
    throw error;
  }
}

/**
 * Returns a restore target that writes the new database to a temporary file and finally renames it over the old one.
 */
export function sqliteRestoreTarget(url: string): RestoreTarget {
  const removeAll = async (name: string) => {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) await rm(name + suffix, { force: true });
  };
  return {
    async inspect(backupAt) {
      try {
        const database = await openSqliteExclusively(url);
        const query = async (sql: string) => database.prepare(sql).all() as Record<string, unknown>[];
        const revocations = await readRevocations(createReplacedDatabaseReader("sqlite", query), backupAt);
        const records = { counts: countRows(database), erased: readErased(database), revocations };
        database.close();
        return records;
      } catch (error) {
        if (/unable to open|directory does not exist/.test(String(error)))
          return { counts: {}, erased: [], revocations: null };
        throw error;
      }
    },
    async replace(frames, restoredFiles, trailer) {
      const file = resolveSymbolicLinks(databasePath(url));
      const temporaryPath = `${file}-restoring`;
      await removeAll(temporaryPath);
      try {
        await writeFile(temporaryPath, databaseBytes(frames), { mode: 0o600, flush: true });
        await finishRestore(temporaryPath, restoredFiles, trailer.gone);
        await removeAll(file);
        await rename(temporaryPath, file);
      } finally {
        await removeAll(temporaryPath);
      }
      const restored = (await importSqliteOpener())(file, { readonly: true });
      const counts = countRows(restored);
      restored.close();
      return counts;
    },
  };
}

/** Returns the file behind symbolic links, so that it is replaced and not the link to it. */
function resolveSymbolicLinks(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

async function finishRestore(file: string, restoredFiles: RestoredFiles, gone: number[]): Promise<void> {
  const database = (await importSqliteOpener())(file);
  try {
    database.pragma("foreign_keys = ON");
    const integrity = database.pragma("integrity_check", { simple: true });
    if (integrity !== "ok")
      throw new OperatorError(`The database in the backup failed the integrity check: ${String(integrity)}`);
    const updateStatement = database.prepare("UPDATE documents SET filePath = ?, fileKey = ?, keyId = ? WHERE id = ?");
    const deleteStatement = database.prepare("DELETE FROM documents WHERE id = ?");
    database.transaction(() => {
      for (const [id, { filePath, wrappedDataKey, keyId }] of restoredFiles)
        updateStatement.run(filePath, wrappedDataKey, keyId, id);
      for (const id of gone) deleteStatement.run(id);
    })();
  } finally {
    database.close();
  }
}

function countRows(database: Database): Record<string, number> {
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const count = (name: string) => database.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number;
  return Object.fromEntries(names.filter(isApplicationTable).map((name) => [name, count(name)]));
}

function readErased(database: Database): ErasedAccount[] {
  if (!(ERASED_TABLE in countRows(database))) return [];
  const rows = database.prepare(`SELECT accountId, accountCreatedAt, erasedAt FROM ${ERASED_TABLE}`).all();
  return (rows as ErasedAccountRow[]).map(toErasedAccount);
}

/** Imports the driver on demand, so that a process on PostgreSQL does not load it. */
async function importSqliteOpener() {
  const { default: Driver } = await import("better-sqlite3");
  return (...options: ConstructorParameters<typeof Driver>): Database => new Driver(...options);
}

/** Yields only the bytes after the record `database`. The bytes of documents follow them, and are unencrypted here. */
async function* databaseBytes(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  let isDatabase = false;
  for await (const frame of frames) {
    if (!Buffer.isBuffer(frame)) isDatabase = frame.kind === "database";
    else if (isDatabase) yield frame;
  }
}

function databasePath(url: string): string {
  return url.slice("file:".length);
}
