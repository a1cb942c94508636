import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type { Sql } from "@prisma/client/runtime/client";
import type { SqlDriverAdapter, SqlDriverAdapterFactory, Transaction } from "@prisma/driver-adapter-utils";
import Database from "better-sqlite3";
import type { PreparedQueries } from "./prepared-queries.ts";

const BUSY_TIMEOUT_MS = 5_000;
const BUSY_RETRY_INTERVAL_MS = 20;

// WAL: readers in other processes don't block the writer, and vice versa. secure_delete: deleted data is overwritten.
// FULL: a commit is on disk before it is acknowledged; NORMAL would lose the latest commits in a power failure.
const PRAGMAS =
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON";

/**
 * Creates the better-sqlite3 adapter with a queue in front of it. The adapter (7.10) has one connection: it runs other
 * callers' queries inside an open transaction, whose rollback then undoes acknowledged writes; it stays in a
 * transaction whose COMMIT failed, and stays locked when a BEGIN fails. Dates are stored as milliseconds since 1970.
 * While another process holds the write lock, writers wait up to 5 s without blocking this process, then fail.
 */
export function sqliteAdapter(url: string): SqlDriverAdapterFactory {
  const factory = new PrismaBetterSqlite3({ url, timeout: BUSY_TIMEOUT_MS }, { timestampFormat: "unixepoch-ms" });
  const { provider, adapterName } = factory;
  return {
    provider,
    adapterName,
    async connect() {
      const connection = await factory.connect();
      await connection.executeScript(PRAGMAS);
      // The queue waits from now on, because the driver's own waiting blocks the process.
      await connection.executeScript("PRAGMA busy_timeout = 0");
      return createQueuedAdapter(connection);
    },
  };
}

/**
 * Creates prepared queries on a separate read-only connection: they don't wait for transactions and see committed data
 * only. If a query fails there, `fallback` runs it, which waits, retries and reports the cause.
 */
export function createPreparedQueries(url: string, fallback: PreparedQueries["query"]): PreparedQueries {
  let database: Database.Database | null = null;
  const statements = new Map<string, { statement: Database.Statement; decoders: [string, ColumnDecoder][] }>();

  function close() {
    statements.clear();
    database?.close();
    database = null;
  }
  function prepare(text: string) {
    database ??= new Database(url.slice("file:".length), { readonly: true, fileMustExist: true, timeout: 0 });
    const statement = database.prepare(text);
    const decoders = statement.columns().flatMap(({ name, type }): [string, ColumnDecoder][] => {
      const decode = COLUMN_DECODERS[type?.toUpperCase() ?? ""];
      return decode ? [[name, decode]] : [];
    });
    const prepared = { statement, decoders };
    statements.set(text, prepared);
    return prepared;
  }
  function run({ sql, values }: Sql) {
    const { statement, decoders } = statements.get(sql) ?? prepare(sql);
    const rows = statement.all(values.map(encodeParameter)) as Record<string, unknown>[];
    for (const row of rows) for (const [name, decode] of decoders) row[name] = decode(row[name]);
    return rows;
  }
  const query = async (sql: Sql) => {
    try {
      return run(sql);
    } catch {
      close();
      return fallback(sql);
    }
  };
  return { query, close };
}

type ColumnDecoder = (value: unknown) => unknown;

const COLUMN_DECODERS: Record<string, ColumnDecoder> = {
  DATETIME: (value) => (value === null ? null : new Date(Number(value))),
  BOOLEAN: (value) => (value === null ? null : value === 1),
};

function encodeParameter(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return typeof value === "boolean" ? Number(value) : value;
}

function createQueuedAdapter(connection: SqlDriverAdapter): SqlDriverAdapter {
  const { provider, adapterName } = connection;
  const execute = (sql: string) => connection.executeRaw({ sql, args: [], argTypes: [] });
  let queueTail = Promise.resolve();

  /**
   * Runs `work` after all earlier callers have released the connection. The caller holds it until `release`; if `work`
   * throws, the connection is released at once.
   */
  async function acquire<T>(work: () => Promise<T>): Promise<{ result: T; release: () => void }> {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const previous = queueTail;
    queueTail = released;
    await previous;
    try {
      return { result: await work(), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async function acquireWithRetry<T>(work: () => Promise<T>) {
    const deadline = performance.now() + BUSY_TIMEOUT_MS;
    for (;;) {
      try {
        return await acquire(work);
      } catch (error) {
        if (!isBusyError(error) || performance.now() > deadline) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, BUSY_RETRY_INTERVAL_MS));
    }
  }

  async function runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const { result, release } = await acquireWithRetry(work);
    release();
    return result;
  }

  /** Starts a transaction. IMMEDIATE takes the write lock now, so that no later statement can fail as busy. */
  async function startTransaction(): Promise<Transaction> {
    const { release } = await acquireWithRetry(() => execute("BEGIN IMMEDIATE"));
    let isOpen = true;
    const rollback = async () => {
      if (isOpen) await execute("ROLLBACK").catch(() => {}); // fails only when SQLite has already rolled back
      isOpen = false;
      release();
    };
    return {
      provider,
      adapterName,
      options: { usePhantomQuery: false },
      queryRaw: (query) => connection.queryRaw(query),
      async executeRaw(query) {
        const count = await connection.executeRaw(query);
        if (query.sql === "COMMIT" || query.sql === "ROLLBACK") isOpen = false;
        return count;
      },
      commit: rollback,
      rollback,
    };
  }

  return {
    provider,
    adapterName,
    queryRaw: (query) => runExclusive(() => connection.queryRaw(query)),
    executeRaw: (query) => runExclusive(() => connection.executeRaw(query)),
    executeScript: (script) => runExclusive(() => connection.executeScript(script)),
    startTransaction,
    dispose: () => runExclusive(() => connection.dispose()),
  };
}

function isBusyError(error: unknown): boolean {
  return (error as { cause?: { kind?: string } }).cause?.kind === "SocketTimeout";
}
