import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { filePathFromUrl } from "./file-url.js";

/** @typedef {{ migration_name: string, finished_at: unknown, rolled_back_at: unknown }} Row */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MIGRATION_ROWS_SQL = "SELECT migration_name, finished_at, rolled_back_at FROM _prisma_migrations";
const LOCK_KEY = 4_714_001;
const LOCK_RETRY_MS = 50;
const CONNECT_TIMEOUT_MS = 5000;

// Loaded on demand: when the database is current, only one of the two drivers is needed, and not the engine.
const loadSqliteDriver = async () => (await import("better-sqlite3")).default;
const loadPostgresqlDriver = async () => (await import("pg")).default;

/**
 * Applies pending migrations, and creates the database if there is none. Runs only one query when nothing is pending,
 * otherwise Prisma's engine. When several processes start at the same time, one migrates and the others wait. Throws
 * when an earlier migration did not finish, or when the database is newer than this version of the application.
 * @param {string} databaseUrl
 */
export async function migrate(databaseUrl) {
  const url = isSqliteUrl(databaseUrl) ? `file:${path.resolve(filePathFromUrl(databaseUrl))}` : databaseUrl;
  if ((await readMigrationState(url)).isCurrent) return;
  await ensureDatabase(url);
  const unlock = await (isSqliteUrl(url) ? lockSqlite(url) : lockPostgresql(url));
  try {
    const state = await readMigrationState(url);
    requireCleanMigrationState(state);
    if (state.isCurrent) return;
    await deployMigrations(url);
    if (!(await readMigrationState(url)).isCurrent) throw operatorError("The migrations did not apply.");
  } finally {
    await unlock();
  }
}

/**
 * Throws an error for the operator if the application never ran with the database that the environment names. For
 * commands whose result on an empty database would mislead. Creates nothing; to be called before the build is imported,
 * which creates the data folder and its keys.
 * @param {string} consequence what the command did not do
 */
export async function requireInitializedDatabase(consequence) {
  const dataDir = path.resolve(process.env.DATA_DIR || "data");
  const databaseUrl = process.env.DATABASE_URL || `file:${path.join(dataDir, "app.db")}`;
  const rows = await (isSqliteUrl(databaseUrl)
    ? sqliteMigrationRows(databaseUrl)
    : postgresqlMigrationRows(databaseUrl));
  if (rows.length > 0) return;
  throw operatorError(
    `There is no database of the product where DATABASE_URL or DATA_DIR (${dataDir}) says: ${consequence}. Set them as they are for the product.`,
  );
}

/**
 * Creates an empty database if there is none. Several processes may call this at the same time.
 * @param {string} url
 */
export async function ensureDatabase(url) {
  const { createDatabase, checkDatabase: tryDatabase } = await import("./schema-engine-adapters.js");
  await tryDatabase(url).catch(() => createDatabase(url).catch(() => tryDatabase(url).catch(throwConnectionError)));
}

/** @param {string} url */
async function readMigrationState(url) {
  const knownNames = await migrationNames(url);
  const rows = (await (isSqliteUrl(url) ? sqliteMigrationRows(url) : postgresqlMigrationRows(url))).filter(
    (row) => row.rolled_back_at === null,
  );
  const appliedNames = new Set(rows.filter((row) => row.finished_at !== null).map((row) => row.migration_name));
  const unfinished = rows.filter((row) => row.finished_at === null).map((row) => row.migration_name);
  const unknown = [...appliedNames].filter((name) => !knownNames.includes(name));
  const isCurrent =
    knownNames.every((name) => appliedNames.has(name)) && unfinished.length === 0 && unknown.length === 0;
  return { unfinished, unknown, isCurrent };
}

/**
 * Returns this version's migrations for the kind of database in `url`, oldest first.
 * @param {string} url
 */
export async function knownMigrations(url) {
  const sqlOf = (/** @type {string} */ name) =>
    readFile(path.join(migrationsFolder(url), name, "migration.sql"), "utf8");
  return Promise.all((await migrationNames(url)).map(async (name) => ({ name, sql: await sqlOf(name) })));
}

/** @param {string} url */
async function migrationNames(url) {
  const entries = await readdir(migrationsFolder(url), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** @param {string} url */
function migrationsFolder(url) {
  return path.join(ROOT, "prisma", isSqliteUrl(url) ? "sqlite" : "postgresql", "migrations");
}

/** @param {{ unfinished: string[], unknown: string[] }} state */
function requireCleanMigrationState({ unfinished, unknown }) {
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
function throwConnectionError(error) {
  throw operatorError(`The database does not answer as DATABASE_URL says: ${/** @type {Error} */ (error).message}`);
}

/**
 * Runs `prisma migrate deploy` with Prisma's engine in a separate process, so that its memory is freed afterward.
 * @param {string} url
 */
async function deployMigrations(url) {
  const folder = migrationsFolder(url);
  const migrationDirectories = (await knownMigrations(url)).map(({ name, sql }) => ({
    path: name,
    migrationFile: { path: "migration.sql", content: { tag: "ok", value: sql } },
  }));
  const lockfile = { path: "migration_lock.toml", content: await readFile(`${folder}/migration_lock.toml`, "utf8") };
  const migrationsList = { baseDir: folder, lockfile, migrationDirectories, shadowDbInitScript: "" };
  const params = { migrationsList, filters: { externalTables: [], externalEnums: [] } };
  const request = { jsonrpc: "2.0", id: 1, method: "applyMigrations", params };
  const { output, reason } = await callEngine(url, request);
  const answer = output.split("\n").find((line) => line.startsWith("{"));
  const { result, error } = JSON.parse(answer ?? "{}");
  if (!result) throw operatorError(`The migrations did not apply.\n${error?.data?.message ?? reason}`);
}

/**
 * @param {string} url
 * @param {object} request
 * @returns {Promise<{ output: string, reason: string }>}
 */
function callEngine(url, request) {
  const engine = [path.join(ROOT, "bin/schema-engine.js"), "--datasource", JSON.stringify({ url })];
  const child = spawn(process.execPath, engine, { cwd: ROOT, stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  let errorOutput = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (errorOutput += chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(`${JSON.stringify(request)}\n`);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve({ output, reason: errorOutput }));
  });
}

/**
 * @param {string} url
 * @returns {Promise<Row[]>}
 */
async function sqliteMigrationRows(url) {
  const Database = await loadSqliteDriver();
  let database;
  try {
    database = new Database(filePathFromUrl(url), { fileMustExist: true });
    return /** @type {Row[]} */ (database.prepare(MIGRATION_ROWS_SQL).all());
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
async function postgresqlMigrationRows(url) {
  const pg = await loadPostgresqlDriver();
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    return (await client.query(MIGRATION_ROWS_SQL)).rows;
  } catch (error) {
    const isEmpty = ["3D000", "42P01"].includes(/** @type {{ code?: string }} */ (error).code ?? "");
    if (isEmpty) return [];
    return throwConnectionError(error);
  } finally {
    await client.end();
  }
}

/**
 * Locks a separate file until the migrations are done, because the engine holds no lock on SQLite after its first
 * statement.
 * @param {string} url
 */
async function lockSqlite(url) {
  const Database = await loadSqliteDriver();
  const lock = new Database(`${filePathFromUrl(url)}-migrating`, { timeout: 0 });
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
async function lockPostgresql(url) {
  const pg = await loadPostgresqlDriver();
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  await client.query("SELECT pg_advisory_lock($1)", [LOCK_KEY]);
  return () => client.end();
}

/** @param {string} url */
function isSqliteUrl(url) {
  return url.startsWith("file:");
}

/**
 * Creates an error that the operator can fix, like OperatorError in app/operator-error.ts.
 * @param {string} message
 */
function operatorError(message) {
  return Object.assign(new Error(message), { name: "OperatorError" });
}
