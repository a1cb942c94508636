import type { Sql } from "@prisma/client/runtime/client";
import type { Prisma, PrismaClient } from "../../prisma/sqlite/client/client.ts";
import { env } from "../env.server.ts";
import { decryptRowsInPlace, fieldEncryption } from "./encrypted-columns.server.ts";
import type { PreparedQueries } from "./prepared-queries.ts";

// Under load, transactions queue for up to 30 s instead of failing.
const CLIENT_OPTIONS = { transactionOptions: { maxWait: 30_000, timeout: 5_000 } };

// Hot reload evaluates this module again, but the process must have only one client.
const globals = globalThis as { database?: ReturnType<typeof connect> };
const database = await (globals.database ??= connect(env.databaseUrl));

/** The client of the configured database. It has SQLite's type for both databases, because that is the narrower one. */
export const db = database.client;

/** Opens another client for a `file:` or `postgresql:` URL; the caller disconnects it. */
export async function createDatabaseClient(url: string): Promise<PrismaClient> {
  return (await connect(url)).client;
}

/** Connects to the database. Imports only the driver of this kind of database. */
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
 * Runs a frequent read-only query as a prepared statement, without Prisma's overhead. It doubles the rate of the
 * availability endpoint (docs/decisions/0018-what-speed-measures-buy.md). Reads committed rows only. Dates and booleans
 * are converted to their types. `model` is Prisma's name of the table whose encrypted columns are decrypted.
 */
export async function runPreparedQuery<Row>(sql: Sql, model?: string): Promise<Row[]> {
  const rows = (await database.prepared.query(sql)) as Row[];
  return model === undefined ? rows : decryptRowsInPlace(model, rows);
}

declare const IN_TRANSACTION: unique symbol;

/**
 * The client of a transaction that `inTransaction` began. It has a mark at compile time only, because `db` has the same
 * methods: a function that stores something together with a change must not accept `db`. A function that may run outside
 * of a transaction takes a `Prisma.TransactionClient`.
 */
export type Transaction = Prisma.TransactionClient & { readonly [IN_TRANSACTION]: true };

type Tasks = (() => Promise<void> | void)[];
const tasksBeforeCommit = new WeakMap<Transaction, Tasks>();
const tasksAfterCommit = new WeakMap<Transaction, Tasks>();

/**
 * Runs `work` in one transaction of at most 5 s; rolls back if it throws. Inside, use only the client passed to `work`
 * (`db` would wait for the end of this transaction), and make no network calls, because on SQLite all other writers
 * wait.
 */
export async function inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const afterCommit: Tasks = [];
  const committed = await db.$transaction(async (client) => {
    const transaction = client as Transaction;
    const beforeCommit: Tasks = [];
    tasksBeforeCommit.set(transaction, beforeCommit);
    tasksAfterCommit.set(transaction, afterCommit);
    const result = await work(transaction);
    for (const task of beforeCommit) await task();
    return result;
  });
  for (const task of afterCommit) await task();
  return committed;
}

/**
 * Runs `task` at the end of the transaction of `inTransaction`, before it commits. If `task` throws, everything is
 * rolled back. Use it for locks that every transaction takes: taken last, they are held only briefly, and two
 * transactions can't wait for each other.
 */
export function runBeforeCommit(transaction: Transaction, task: () => Promise<void>): void {
  addTask(tasksBeforeCommit, transaction, task);
}

/**
 * Runs `task` when the transaction of `inTransaction` has committed, before `inTransaction` returns. `task` must not
 * throw, because the caller would take the change as rolled back.
 */
export function runAfterCommit(transaction: Transaction, task: () => Promise<void> | void): void {
  addTask(tasksAfterCommit, transaction, task);
}

function addTask(tasksByTransaction: WeakMap<Transaction, Tasks>, transaction: Transaction, task: Tasks[number]) {
  const tasks = tasksByTransaction.get(transaction);
  if (!tasks) throw new Error("This transaction was not begun by inTransaction.");
  tasks.push(task);
}

/** Checks whether the database answers a query within 5 s. */
export async function pingDatabase(): Promise<boolean> {
  try {
    await db.$queryRaw`SELECT 1`;
    return true;
  } catch {
    return false;
  }
}

/**
 * SQLite: rewrites the database file and truncates the write-ahead log, so that neither contains deleted or replaced
 * values. Does nothing on PostgreSQL, which has autovacuum.
 */
export async function vacuumDatabase(): Promise<void> {
  if (!env.databaseUrl.startsWith("file:")) return;
  await db.$executeRaw`VACUUM`;
  await db.$queryRaw`PRAGMA wal_checkpoint(TRUNCATE)`;
}

/**
 * SQLite: moves the write-ahead log into the database, where deleted values are overwritten, and truncates it. Returns
 * false while a reader prevents this; returns true on PostgreSQL, where there is nothing to do.
 */
export async function truncateWriteAheadLog(): Promise<boolean> {
  if (!env.databaseUrl.startsWith("file:")) return true;
  const [result] = await db.$queryRaw<{ busy: number | bigint }[]>`PRAGMA wal_checkpoint(TRUNCATE)`;
  return Number(result?.busy ?? 0) === 0;
}

/** Disconnects, so that the process can end. On SQLite a later query opens the connection again. */
export function closeDatabase(): Promise<void> {
  database.prepared.close();
  return db.$disconnect();
}
