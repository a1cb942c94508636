import { Socket } from "node:net";
import { PrismaPg } from "@prisma/adapter-pg";
import type { Sql } from "@prisma/client/runtime/client";
import pg from "pg";
import type { PreparedQueries } from "./prepared.ts";

const CLIENT_OPTIONS = {
  statement_timeout: 4_000,
  query_timeout: 4_200, // ours, for a server that can't even say that
  idle_in_transaction_session_timeout: 10_000,
  keepAlive: true,
};
const POOL_OPTIONS = {
  max: 10,
  min: 1, // a restore sees by it that the product is running (backup/postgresql.server.ts)
  // In a rush people wait for their turn rather than be turned away; the pool counts that waiting as connecting.
  connectionTimeoutMillis: 30_000,
};
/** To plan the question whether a time is free takes three times as long as to answer it; the plan is always the same. */
const FORCE_GENERIC_PLAN = "SET plan_cache_mode = force_generic_plan";
const CONNECT_TIMEOUT_MS = 4_000;
const CIRCUIT_OPEN_MS = 1_000;

/** What a "timestamp" column means is UTC; the driver would take it for the process's own zone. */
const TIMESTAMP_OID: number = pg.types.builtins.TIMESTAMP;
const parseTimestamp = (text: string) => new Date(`${text.replace(" ", "T")}Z`);
const TYPE_PARSERS = {
  getTypeParser: (oid: number) => (oid === TIMESTAMP_OID ? parseTimestamp : pg.types.getTypeParser(oid, "text")),
};

/**
 * The pg adapter with limits: a server that stopped answering is an error within 5 s, for those who ask and for those
 * who wait behind them, and is asked again a second later. Beside it, prepared questions on a connection of their own.
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
    // When a ROLLBACK got no answer the adapter (7.10) hands its connection back as a good one. The next to use it
    // would write into the old transaction, and lose what was acknowledged.
    if (client.getTransactionStatus() !== "I") void client.end();
  });
  return { adapter: new PrismaPg(pool, { disposeExternalPool: true }), prepared: createPreparedQueries(url) };
}

/**
 * Questions that wait for nobody's answer: they go out one behind the other, those of one turn of the event loop in one
 * write, which costs more than the rest of a question. None of them writes, and none may take long.
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

/** `onEnd` is called once nothing can be asked any more; who still waits for an answer gets an error. */
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
    await client.query(FORCE_GENERIC_PLAN);
    return { client, batchWrites };
  } catch (error) {
    onEnd();
    void client.end();
    throw error;
  }
}

/** The driver's error in the words of Prisma's, so that one place reads both. */
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

/** Once one question got no answer, those who wait for a connection are told so at once instead of one after the other. */
class CircuitBreakingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.Client> | void {
    if (!callback) return super.connect();
    const done = callback as (error: Error) => void;
    if (performance.now() < circuitOpenUntil) {
      process.nextTick(done, new Error("timeout: the database was silent a moment ago"));
      return;
    }
    super.connect((error: Error) => {
      if (error) openCircuitOnTimeout(error);
      done(error);
    });
  }
}
