import type { Sql } from "@prisma/client/runtime/client";
import type { Prisma, PrismaClient } from "../../prisma/sqlite/client/client.ts";
import { env } from "../env.server.ts";
import { decryptRows, fieldEncryption } from "./encrypted-fields.server.ts";

// In a rush people wait for their turn rather than be turned away.
const CLIENT_OPTIONS = { transactionOptions: { maxWait: 30_000, timeout: 5_000 } };
// Prisma's codes, its drivers' kinds (a question in SQL of our own has one code for everything), the driver's words where
// Prisma passes them on, and PostgreSQL's classes 08, 53 and 57 (connection, resources, shutdown).
const CONNECTION_ERRORS = {
  kinds: ["ConnectionClosed", "DatabaseNotReachable", "SocketTimeout", "TooManyConnections"],
  codes: ["P1001", "P1002", "P1008", "P1017", "P2028"],
  messages: /timeout|terminated/,
  sqlStates: /^(08|53|57)/,
};

/** Questions that the database has prepared; `close` ends what they are asked through, until one is asked again. */
export type PreparedQueries = { query: (sql: Sql) => Promise<unknown[]>; close: () => void };

// Hot reload makes this module again; the process keeps one client.
const globals = globalThis as { database?: ReturnType<typeof connect> };
const database = await (globals.database ??= connect(env.databaseUrl));

/** The database client: one type for both databases, SQLite's, as it is the narrower. */
export const db = database.client;

/** A client of its own for a `file:` or `postgresql:` URL; whoever opens it disconnects it. */
export async function openDatabase(url: string): Promise<PrismaClient> {
  return (await connect(url)).client;
}

/** Loads that database's parts alone. */
async function connect(url: string): Promise<{ client: PrismaClient; prepared: PreparedQueries }> {
  if (url.startsWith("file:")) {
    const [sqlite, { createPreparedQueries, sqliteAdapter }] = await Promise.all([
      import("../../prisma/sqlite/client/client.ts"),
      import("./sqlite.server.ts"),
    ]);
    const client = new sqlite.PrismaClient({ adapter: sqliteAdapter(url), ...CLIENT_OPTIONS });
    return {
      client: withFieldEncryption(client),
      prepared: createPreparedQueries(url, (sql) => client.$queryRaw(sql)),
    };
  }
  const [postgresql, { postgresAdapter }] = await Promise.all([
    import("../../prisma/postgresql/client/client.ts"),
    import("./postgresql.server.ts"),
  ]);
  const { adapter, prepared } = postgresAdapter(url);
  const client = new postgresql.PrismaClient({ adapter, ...CLIENT_OPTIONS }) as unknown as PrismaClient;
  return { client: withFieldEncryption(client), prepared };
}

/** Adds field encryption to the client and its transactions. Raw SQL still reads encrypted columns as stored. */
function withFieldEncryption(client: PrismaClient): PrismaClient {
  return client.$extends(fieldEncryption) as unknown as PrismaClient;
}

/**
 * Asks what nearly every request asks, in SQL of our own: prepared once, and without Prisma's own work on it, which
 * takes ten times as long as the database. Sees what is committed; dates and truth values come as such. `model` is
 * Prisma's name of the table whose encrypted columns are among the result.
 */
export async function preparedQuery<Row>(sql: Sql, model?: string): Promise<Row[]> {
  const rows = (await database.prepared.query(sql)) as Row[];
  return model === undefined ? rows : decryptRows(model, rows);
}

export type Transaction = Prisma.TransactionClient;

/**
 * Runs `work` in one transaction: all of it or, when it throws, nothing. Inside, use only the client it is handed
 * (`db` would wait for the end of this very transaction) and ask no other machine: on SQLite everyone else waits. 5 s at most.
 */
export function inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return db.$transaction(work);
}

/** True for a value that is already taken, of `field` when one is named. */
export function isUniqueViolation(error: unknown, field?: string): boolean {
  const cause = driverErrorCause(error);
  if (cause?.kind !== "UniqueConstraintViolation") return false;
  if (!field) return true;
  const { fields, index } = cause.constraint ?? {}; // SQLite names the fields, PostgreSQL the index
  return fields?.includes(field) || index?.endsWith(`_${field}_key`) || false;
}

/** True when the time is taken by another appointment that is not cancelled: the database refuses it itself (decisions §5.5). */
export function isOverlapViolation(error: unknown): boolean {
  return driverErrorCause(error)?.originalMessage?.includes("appointments_no_overlap") ?? false;
}

/** True when the database could not be reached, or not in time: worth a 503, and trying again. */
export function isConnectionError(error: unknown): boolean {
  const code = errorCode(error);
  if (code === undefined) return error instanceof Error && CONNECTION_ERRORS.messages.test(error.message);
  const { kind = "", originalCode = "" } = driverErrorCause(error) ?? {};
  const isKnown = CONNECTION_ERRORS.codes.includes(code) || CONNECTION_ERRORS.kinds.includes(kind);
  return isKnown || CONNECTION_ERRORS.sqlStates.test(originalCode);
}

/** True when there is no room left for what was to be written: nothing of it is kept. */
export function isDiskFullError(error: unknown): boolean {
  const message = driverErrorCause(error)?.originalMessage ?? (error instanceof Error ? error.message : "");
  return /database or disk is full|SQLITE_FULL|No space left on device/.test(message);
}

/** Whether the database answers a question, within 5 s. */
export async function pingDatabase(): Promise<boolean> {
  try {
    await db.$queryRaw`SELECT 1`;
    return true;
  } catch {
    return false;
  }
}

/**
 * SQLite: writes the database anew without what was deleted or replaced in it, and empties the log of writes, so that
 * nothing older is left in either. PostgreSQL's own VACUUM does its part by itself.
 */
export async function emptyFreePages(): Promise<void> {
  if (!env.databaseUrl.startsWith("file:")) return;
  await db.$executeRaw`VACUUM`;
  await db.$queryRaw`PRAGMA wal_checkpoint(TRUNCATE)`;
}

/** Lets the process end. On SQLite a later question opens the connection anew. */
export function closeDatabase(): Promise<void> {
  database.prepared.close();
  return db.$disconnect();
}

interface DriverErrorCause {
  kind: string;
  originalCode?: string;
  originalMessage?: string;
  constraint?: { fields?: string[]; index?: string };
}

function driverErrorCause(error: unknown): DriverErrorCause | undefined {
  return (error as { meta?: { driverAdapterError?: { cause?: DriverErrorCause } } } | null)?.meta?.driverAdapterError
    ?.cause;
}

function errorCode(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code;
}
