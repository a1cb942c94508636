// Proves that the unencrypted copy of a SQLite database for a backup is readable by its owner only and is deleted.
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("copy");
const file = path.join(folder, "app.db");
Object.assign(process.env, await testEnvironment(`file:${file}`, temporaryFolder("copy-data")));
const { snapshotSqlite } = await import("../../app/backup/sqlite-backup.server.ts");

const MIGRATIONS = "CREATE TABLE _prisma_migrations (migration_name TEXT, finished_at TEXT)";
const DOCUMENTS = "CREATE TABLE documents (id INTEGER, filePath TEXT, fileSize INTEGER, fileKey, keyId, sha256)";

beforeEach(() => rmSync(file, { force: true }));

function createDatabase(...tables: string[]): void {
  const database = new Database(file);
  for (const sql of [...tables, "CREATE TABLE families (name TEXT)"]) database.exec(sql);
  database.prepare("INSERT INTO families VALUES (?)").run("Leo".repeat(50_000));
  database.close();
}

const copies = () => readdirSync(folder).filter((name) => name !== "app.db");

/** The modes and sizes of all copies that are there while the snapshot is made. */
async function watchCopies<T>(snapshot: Promise<T>): Promise<{ result: T; modes: Set<string>; largest: number }> {
  const modes = new Set<string>();
  let largest = 0;
  const state = { isDone: false };
  void snapshot.finally(() => (state.isDone = true)).catch(() => {});
  while (!state.isDone) {
    for (const name of copies()) {
      const entry = statSync(path.join(folder, name), { throwIfNoEntry: false });
      if (entry) modes.add((entry.mode & 0o777).toString(8));
      largest = Math.max(largest, entry?.size ?? 0);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { result: await snapshot, modes, largest };
}

test("the copy has mode 600 and is deleted before the first byte of the backup is read", async () => {
  createDatabase(MIGRATIONS, DOCUMENTS);
  const umask = process.umask(0);
  const { result, modes, largest } = await watchCopies(snapshotSqlite(`file:${file}`)).finally(() =>
    process.umask(umask),
  );
  expect([[...modes], largest > 100_000]).toEqual([["600"], true]);
  expect(copies()).toEqual([]);
  let bytes = 0;
  for await (const frame of result.frames()) if (Buffer.isBuffer(frame)) bytes += frame.length;
  expect(bytes).toBeGreaterThan(100_000);
  await result.close();
  expect(copies()).toEqual([]);
});

test.each([
  ["is not a SQLite file", /not a database/, () => writeFileSync(file, "no database ".repeat(1_000))],
  ["does not exist", /unable to open/, () => {}],
  ["has no documents table", /no such table/, () => createDatabase(MIGRATIONS)],
  ["was never migrated", /no such table/, () => createDatabase()],
])("no copy remains when the database %s", async (_, message, prepare) => {
  prepare();
  await expect(snapshotSqlite(`file:${file}`)).rejects.toThrow(message);
  expect(copies()).toEqual([]);
});
