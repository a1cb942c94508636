// Driver adapters of the schema engine, including those for the shadow database.
import { randomUUID } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";
import { filePathFromUrl } from "./file-url.js";

/** @typedef {import("@prisma/driver-adapter-utils").SqlDriverAdapter} Adapter */
/** @typedef {import("@prisma/driver-adapter-utils").SqlMigrationAwareDriverAdapterFactory} Factory */

const CONNECT_TIMEOUT_MS = 5000;
const CHAR_ARRAY_TYPE_ID = 1002; // type id of "char"[]

/**
 * @param {string} url
 * @returns {Factory}
 */
export function adapterFactory(url) {
  return url.startsWith("file:") ? sqliteFactory(url) : postgresFactory(url);
}

/**
 * Creates the database if there is none, and returns its name.
 * @param {string} url
 */
export async function createDatabase(url) {
  if (url.startsWith("file:")) {
    mkdirSync(path.dirname(filePathFromUrl(url)), { recursive: true, mode: 0o700 });
    await (await sqliteFactory(url).connect()).dispose();
    return path.basename(filePathFromUrl(url));
  }
  await executeOnNewConnection(url, `CREATE DATABASE ${pg.escapeIdentifier(databaseName(url))}`, "postgres");
  return databaseName(url);
}

/**
 * Drops a PostgreSQL database if it exists.
 * @param {string} url
 */
async function dropPostgresDatabase(url) {
  await executeOnNewConnection(
    url,
    `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(databaseName(url))} WITH (FORCE)`,
    "postgres",
  );
}

/**
 * Rejects when the database can't be reached.
 * @param {string} url
 */
export async function checkDatabase(url) {
  if (url.startsWith("file:")) return void statSync(filePathFromUrl(url));
  await executeOnNewConnection(url, "SELECT 1");
}

/**
 * @param {string} url
 * @returns {Factory}
 */
function sqliteFactory(url) {
  const factory = new PrismaBetterSqlite3({ url, timeout: 5000 }, { timestampFormat: "unixepoch-ms" });
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => withTransactionalScripts(await factory.connect()),
    connectToShadowDb: async () => withTransactionalScripts(await factory.connectToShadowDb()),
  };
}

/**
 * Runs each script in one transaction, so that a migration is applied completely or not at all.
 * @param {Adapter} adapter
 * @returns {Adapter}
 */
function withTransactionalScripts(adapter) {
  const runScript = adapter.executeScript.bind(adapter);
  const runStatement = adapter.executeRaw.bind(adapter);
  adapter.executeScript = async (script) => {
    await runScript("PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE");
    try {
      await runScript(`${script}\n; COMMIT`);
    } catch (error) {
      await runScript("ROLLBACK");
      throw error;
    } finally {
      await runScript("PRAGMA foreign_keys = ON");
    }
  };
  adapter.executeRaw = async (query) => {
    try {
      return await runStatement(query);
    } catch (error) {
      // For the shadow database the engine sends whole scripts, but the driver accepts only one statement at a time.
      if (!(error instanceof RangeError)) throw error;
      await adapter.executeScript(query.sql);
      return 0;
    }
  };
  return adapter;
}

/**
 * @param {string} url
 * @returns {Factory}
 */
function postgresFactory(url) {
  const { provider, adapterName } = new PrismaPg({ connectionString: url });
  return {
    provider,
    adapterName,
    connect: () => connectPostgres(url),
    // The adapter's own method would connect to the real database, because it was configured with a URL.
    connectToShadowDb: async () => {
      const shadow = new URL(url);
      shadow.pathname = `shadow_${randomUUID()}`;
      await createDatabase(shadow.href);
      const adapter = await connectPostgres(shadow.href);
      const disconnect = adapter.dispose.bind(adapter);
      adapter.dispose = async () => {
        await disconnect();
        await dropPostgresDatabase(shadow.href);
      };
      return adapter;
    },
  };
}

/**
 * Connects with one connection at a time, because the engine's advisory lock belongs to a connection. Sends each script
 * as one transaction, because the adapter itself would split it at every semicolon.
 * @param {string} url
 * @returns {Promise<Adapter>}
 */
async function connectPostgres(url) {
  const pool = new CatalogPool({ connectionString: url, max: 1, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  const adapter = await new PrismaPg(pool, { disposeExternalPool: true }).connect();
  adapter.executeScript = async (script) => {
    await adapter.executeRaw({ sql: script, args: [], argTypes: [] });
  };
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    const columnTypes = result.columnTypes.map((type) =>
      type === ColumnTypeEnum.CharacterArray ? ColumnTypeEnum.Character : type,
    );
    return { ...result, columnTypes };
  };
  return adapter;
}

/**
 * Returns columns of the type "char" as "char"[]. The engine reads PostgreSQL's catalog tables, which use "char", but
 * the adapter rejects that type. Those tables don't use "char"[].
 */
class CatalogPool extends pg.Pool {
  /**
   * @override
   * @param {any} statement
   */
  async query(statement) {
    const result = await super.query(statement);
    for (const field of [result].flat().flatMap(({ fields }) => fields)) {
      if (field.dataTypeID === pg.types.builtins.CHAR) field.dataTypeID = CHAR_ARRAY_TYPE_ID;
    }
    return result;
  }
}

/**
 * @param {string} url
 * @param {string} statement
 * @param {string} [database]
 */
async function executeOnNewConnection(url, statement, database) {
  const server = new URL(url);
  if (database) server.pathname = database;
  const client = new pg.Client({ connectionString: server.href, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
/** @param {string} url */
function databaseName(url) {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}
