import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { fileOf } from "./file-url.js";

/** @typedef {{ migration_name: string, finished_at: unknown, rolled_back_at: unknown }} Row */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ROWS = "SELECT migration_name, finished_at, rolled_back_at FROM _prisma_migrations";
const LOCK_KEY = 4_714_001;
const LOCK_RETRY_MS = 50;
const CONNECT_MS = 5000;

// A start that finds its database current needs one driver of the two, and nothing of the engine.
const openFile = async () => (await import("better-sqlite3")).default;
const openServer = async () => (await import("pg")).default;

/**
 * Brings the database to the newest migration, making it first where there is none. One query when nothing is pending;
 * otherwise Prisma's engine applies what is. Of several processes that start at once, one migrates and the others wait.
 * Throws when a migration was left half-way, or when the database is newer than this program.
 * @param {string} databaseUrl
 */
export async function migrate(databaseUrl) {
  const url = isFile(databaseUrl) ? `file:${path.resolve(fileOf(databaseUrl))}` : databaseUrl;
  if ((await readState(url)).isCurrent) return;
  await makeDatabase(url);
  const unlock = await (isFile(url) ? lockFile(url) : lockServer(url));
  try {
    const state = await readState(url);
    refuseUnclear(state);
    if (state.isCurrent) return;
    await deploy(url);
    if (!(await readState(url)).isCurrent) throw operatorError("The migrations did not apply.");
  } finally {
    await unlock();
  }
}

/**
 * Makes an empty database where there is none; of several processes that try, all find it made.
 * @param {string} url
 */
export async function makeDatabase(url) {
  const { createDatabase, tryDatabase } = await import("./schema-engine-adapters.js");
  await tryDatabase(url).catch(() => createDatabase(url).catch(() => tryDatabase(url).catch(refuseSilent)));
}

/** @param {string} url */
async function readState(url) {
  const known = await namesOf(url);
  const rows = (await (isFile(url) ? rowsOfFile(url) : rowsOfServer(url))).filter((row) => row.rolled_back_at === null);
  const applied = new Set(rows.filter((row) => row.finished_at !== null).map((row) => row.migration_name));
  const unfinished = rows.filter((row) => row.finished_at === null).map((row) => row.migration_name);
  const unknown = [...applied].filter((name) => !known.includes(name));
  const isCurrent = known.every((name) => applied.has(name)) && unfinished.length === 0 && unknown.length === 0;
  return { unfinished, unknown, isCurrent };
}

/**
 * The migrations of this program for the kind of database that `url` names, oldest first.
 * @param {string} url
 */
export async function knownMigrations(url) {
  const sqlOf = (/** @type {string} */ name) => readFile(path.join(folderOf(url), name, "migration.sql"), "utf8");
  return Promise.all((await namesOf(url)).map(async (name) => ({ name, sql: await sqlOf(name) })));
}

/** @param {string} url */
async function namesOf(url) {
  const entries = await readdir(folderOf(url), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** @param {string} url */
function folderOf(url) {
  return path.join(ROOT, "prisma", isFile(url) ? "sqlite" : "postgresql", "migrations");
}

/** @param {{ unfinished: string[], unknown: string[] }} state */
function refuseUnclear({ unfinished, unknown }) {
  if (unknown.length > 0) {
    throw operatorError(
      `The database is newer than this program: it has the migration ${unknown.join(", ")}, which is not in prisma/. ` +
        "Start the newer program, or restore the backup made before it.",
    );
  }
  if (unfinished.length > 0) {
    const name = unfinished.join(", ");
    throw operatorError(
      `The migration ${name} was begun and never finished. It is one transaction: all of it is there, or nothing. ` +
        "The column logs of _prisma_migrations may say why. Make a backup, look whether its changes are there, then run " +
        `npx prisma migrate resolve --applied ${name} (they are) or --rolled-back ${name} (they are not), and start again.`,
    );
  }
}

/**
 * @param {unknown} error
 * @returns {never}
 */
function refuseSilent(error) {
  throw operatorError(`The database does not answer as DATABASE_URL says: ${/** @type {Error} */ (error).message}`);
}

/**
 * Prisma's engine, in a process of its own that is gone afterwards with its memory; what `prisma migrate deploy` asks of it.
 * @param {string} url
 */
async function deploy(url) {
  const folder = folderOf(url);
  const migrationDirectories = (await knownMigrations(url)).map(({ name, sql }) => ({
    path: name,
    migrationFile: { path: "migration.sql", content: { tag: "ok", value: sql } },
  }));
  const lockfile = { path: "migration_lock.toml", content: await readFile(`${folder}/migration_lock.toml`, "utf8") };
  const migrationsList = { baseDir: folder, lockfile, migrationDirectories, shadowDbInitScript: "" };
  const params = { migrationsList, filters: { externalTables: [], externalEnums: [] } };
  const request = { jsonrpc: "2.0", id: 1, method: "applyMigrations", params };
  const { output, reason } = await askEngine(url, request);
  const answer = output.split("\n").find((line) => line.startsWith("{"));
  const { result, error } = JSON.parse(answer ?? "{}");
  if (!result) throw operatorError(`The migrations did not apply.\n${error?.data?.message ?? reason}`);
}

/**
 * @param {string} url
 * @param {object} request
 * @returns {Promise<{ output: string, reason: string }>}
 */
function askEngine(url, request) {
  const engine = [path.join(ROOT, "bin/schema-engine.js"), "--datasource", JSON.stringify({ url })];
  const child = spawn(process.execPath, engine, { cwd: ROOT, stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  let reason = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (reason += chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(`${JSON.stringify(request)}\n`);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve({ output, reason }));
  });
}

/**
 * @param {string} url
 * @returns {Promise<Row[]>}
 */
async function rowsOfFile(url) {
  const Database = await openFile();
  let database;
  try {
    database = new Database(fileOf(url), { fileMustExist: true });
    return /** @type {Row[]} */ (database.prepare(ROWS).all());
  } catch (error) {
    if (/no such table|unable to open|directory does not exist/.test(String(error))) return [];
    throw error;
  } finally {
    database?.close();
  }
}

/**
 * @param {string} url
 * @returns {Promise<Row[]>}
 */
async function rowsOfServer(url) {
  const pg = await openServer();
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  try {
    await client.connect();
    return (await client.query(ROWS)).rows;
  } catch (error) {
    const isEmpty = ["3D000", "42P01"].includes(/** @type {{ code?: string }} */ (error).code ?? "");
    if (isEmpty) return [];
    return refuseSilent(error);
  } finally {
    await client.end();
  }
}

/**
 * The engine takes no lock of its own that outlives its first statement on SQLite.
 * @param {string} url
 */
async function lockFile(url) {
  const Database = await openFile();
  const lock = new Database(`${fileOf(url)}-migrating`, { timeout: 0 });
  for (;;) {
    try {
      lock.exec("BEGIN EXCLUSIVE");
      return async () => void lock.close();
    } catch (error) {
      if (!/locked/.test(String(error))) throw error;
      await sleep(LOCK_RETRY_MS);
    }
  }
}

/** @param {string} url */
async function lockServer(url) {
  const pg = await openServer();
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  await client.connect();
  await client.query("SELECT pg_advisory_lock($1)", [LOCK_KEY]);
  return () => client.end();
}

/** @param {string} url */
function isFile(url) {
  return url.startsWith("file:");
}

/**
 * An error whose message is all that the operator needs; app/operator-error.ts has its twin.
 * @param {string} message
 */
function operatorError(message) {
  return Object.assign(new Error(message), { name: "OperatorError" });
}
