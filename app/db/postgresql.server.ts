import { Socket } from "node:net";
import { PrismaPg } from "@prisma/adapter-pg";
import type { Sql } from "@prisma/client/runtime/client";
import pg from "pg";
import type { PreparedQueries } from "./prepared-queries.ts";

const CLIENT_OPTIONS = {
  statement_timeout: 4_000,
  query_timeout: 4_200, // client-side timeout, for a server that does not respond at all
  idle_in_transaction_session_timeout: 10_000,
  keepAlive: true,
};
const POOL_OPTIONS = {
  max: 10,
  min: 1, // lets a restore detect that the application is running (backup/postgresql-snapshot.server.ts)
  // Under load, requests wait for a connection rather than fail. The pool counts waiting as connecting.
  connectionTimeoutMillis: 30_000,
};
/** Planning the availability query takes three times as long as running it, and the plan is always the same. */
const FORCE_GENERIC_PLAN_SQL = "SET plan_cache_mode = force_generic_plan";
const CONNECT_TIMEOUT_MS = 4_000;
const CIRCUIT_OPEN_MS = 1_000;

/** OID of "timestamp" columns. They are in UTC, but the driver would read them in the process's time zone. */
const TIMESTAMP_OID: number = pg.types.builtins.TIMESTAMP;
const parseTimestamp = (text: string) => new Date(`${text.replace(" ", "T")}Z`);
const TYPE_PARSERS = {
  getTypeParser: (oid: number) => (oid === TIMESTAMP_OID ? parseTimestamp : pg.types.getTypeParser(oid, "text")),
};

/**
 * Creates the pg adapter with timeouts. With an unresponsive server, running and waiting queries fail within 5 s, and
 * the server is tried again one second later. Prepared queries have a separate connection.
 */
export function postgresAdapter(url: string): { adapter: PrismaPg; prepared: PreparedQueries } {
  const pool = new pg.Pool({
    connectionString: url,
    ...CLIENT_OPTIONS,
    ...POOL_OPTIONS,
    Client: CircuitBreakingClient,
  });
  pool.on("release", (error: Error | undefined, client) => {
    if (error) openCircuitOnTimeout(error);
    // After a ROLLBACK that timed out, the adapter (7.10) returns its connection to the pool. The next user of the
    // connection would write into the old transaction and lose acknowledged data.
    if (client.getTransactionStatus() !== "I") void client.end();
  });
  return { adapter: new PrismaPg(pool, { disposeExternalPool: true }), prepared: createPreparedQueries(url) };
}

/**
 * Creates a small, separate pool for single statements that must not wait for a connection until a transaction ends.
 * They are committed without waiting for the disk, so a crash of the database may lose the last ones. Idle connections
 * don't keep the process alive.
 */
export function createNonDurableStatementPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    ...CLIENT_OPTIONS,
    max: 2,
    connectionTimeoutMillis: POOL_OPTIONS.connectionTimeoutMillis,
    allowExitOnIdle: true,
    options: "-c synchronous_commit=off",
    Client: CircuitBreakingClient,
  });
  // The next statement replaces an idle connection that breaks.
  pool.on("error", () => {});
  pool.on("release", (error: Error | undefined) => openCircuitOnTimeout(error));
  return pool;
}

/**
 * Creates the runner of read-only queries, which are pipelined on one connection. The queries of one event loop tick
 * are sent in one write, because a write costs more than a query. No query may take long.
 */
function createPreparedQueries(url: string): PreparedQueries {
  const statementNames = new Map<string, string>();
  let connection: Promise<PipelinedConnection> | null = null;
  const connect = () => {
    const opening = openPipelinedConnection(url, () => {
      if (connection === opening) connection = null;
    });
    return opening;
  };
  const query = async ({ text, values }: Sql) => {
    const name = statementNames.get(text) ?? `asked-${statementNames.size}`;
    statementNames.set(text, name);
    const parameters = values.map((value) => (value instanceof Date ? value.toISOString() : value));
    try {
      const { client, batchWrites } = await (connection ??= connect());
      batchWrites();
      const result = client.query({ name, text, values: parameters, types: TYPE_PARSERS });
      result.catch(openCircuitOnTimeout);
      return (await result).rows as unknown[];
    } catch (error) {
      throw toPrismaError(error);
    }
  };
  const close = () => {
    void connection?.then(({ client }) => client.end());
    connection = null;
  };
  return { query, close };
}

type PipelinedConnection = { client: pg.Client; batchWrites: () => void };

/**
 * Opens a pipelined connection. Calls `onEnd` when the connection can no longer be used; pending queries are rejected.
 */
async function openPipelinedConnection(url: string, onEnd: () => void): Promise<PipelinedConnection> {
  const stream = new Socket();
  const client = new CircuitBreakingClient({
    connectionString: url,
    ...CLIENT_OPTIONS,
    pipeline: true,
    stream: () => stream,
  });
  const batchWrites = () => {
    if (stream.writableCorked > 0) return;
    stream.cork();
    setImmediate(() => stream.uncork());
  };
  client.on("error", () => {
    onEnd();
    void client.end();
  });
  client.once("end", onEnd);
  try {
    await new Promise<void>((resolve, reject) =>
      client.connect((error: unknown) => (error ? reject(error) : resolve())),
    );
    await client.query(FORCE_GENERIC_PLAN_SQL);
    return { client, batchWrites };
  } catch (error) {
    onEnd();
    void client.end();
    throw error;
  }
}

/** Converts a driver error to Prisma's form, so that db/database-errors.server.ts classifies both. */
function toPrismaError(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  if (code === undefined) return error;
  const kind = /^E[A-Z]+$/.test(code) ? "DatabaseNotReachable" : "postgres";
  const cause = { kind, originalCode: code, originalMessage: message };
  return Object.assign(new Error(message, { cause: error }), {
    code: "P2010",
    meta: { driverAdapterError: { cause } },
  });
}

let circuitOpenUntil = 0;

function openCircuitOnTimeout(error: unknown) {
  if (error instanceof Error && /timeout/.test(error.message)) circuitOpenUntil = performance.now() + CIRCUIT_OPEN_MS;
}

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** A client that rejects connection attempts immediately for one second after a query timed out. */
class CircuitBreakingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.Client> | void {
    if (!callback) return super.connect();
    const errorCallback = callback as (error: Error) => void;
    if (performance.now() < circuitOpenUntil) {
      process.nextTick(errorCallback, new Error("timeout: the database was silent a moment ago"));
      return;
    }
    super.connect((error: Error) => {
      if (error) openCircuitOnTimeout(error);
      errorCallback(error);
    });
  }
}
