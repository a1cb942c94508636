import { Socket } from "node:net";
import { PrismaPg } from "@prisma/adapter-pg";
import type { Sql } from "@prisma/client/runtime/client";
import pg from "pg";
import type { Prepared } from "./db.server.ts";

const LIMITS = {
  statement_timeout: 4_000,
  query_timeout: 4_200, // ours, for a server that can't even say that
  idle_in_transaction_session_timeout: 10_000,
  keepAlive: true,
};
const POOL = {
  max: 10,
  min: 1, // a restore sees by it that the product is running (backup/postgresql.server.ts)
  // In a rush people wait for their turn rather than be turned away; the pool counts that waiting as connecting.
  connectionTimeoutMillis: 30_000,
};
/** To plan the question whether a time is free takes three times as long as to answer it; the plan is always the same. */
const PLAN_ONCE = "SET plan_cache_mode = force_generic_plan";
const CONNECT_MS = 4_000;
const SILENCE_MS = 1_000;

/** What a "timestamp" column means is UTC; the driver would take it for the process's own zone. */
const TIMESTAMP: number = pg.types.builtins.TIMESTAMP;
const readTimestamp = (text: string) => new Date(`${text.replace(" ", "T")}Z`);
const TYPES = {
  getTypeParser: (oid: number) => (oid === TIMESTAMP ? readTimestamp : pg.types.getTypeParser(oid, "text")),
};

/**
 * The pg adapter with limits: a server that stopped answering is an error within 5 s, for those who ask and for those
 * who wait behind them, and is asked again a second later. Beside it, prepared questions on a connection of their own.
 */
export function postgresAdapter(url: string): { adapter: PrismaPg; prepared: Prepared } {
  const pool = new pg.Pool({ connectionString: url, ...LIMITS, ...POOL, Client: Connection });
  pool.on("release", (error: Error | undefined, client) => {
    if (error) noticeSilence(error);
    // When a ROLLBACK got no answer the adapter (7.10) hands its connection back as a good one. The next to use it
    // would write into the old transaction, and lose what was acknowledged.
    if (client.getTransactionStatus() !== "I") void client.end();
  });
  return { adapter: new PrismaPg(pool, { disposeExternalPool: true }), prepared: prepareOn(url) };
}

/**
 * Questions that wait for nobody's answer: they go out one behind the other, those of one turn of the event loop in one
 * write, which costs more than the rest of a question. None of them writes, and none may take long.
 */
function prepareOn(url: string): Prepared {
  const names = new Map<string, string>();
  let line: Promise<Line> | null = null;
  const reach = () => {
    const opening = openLine(url, () => {
      if (line === opening) line = null;
    });
    return opening;
  };
  const ask = async ({ text, values }: Sql) => {
    const name = names.get(text) ?? `asked-${names.size}`;
    names.set(text, name);
    const stored = values.map((value) => (value instanceof Date ? value.toISOString() : value));
    try {
      const { client, gather } = await (line ??= reach());
      gather();
      const answer = client.query({ name, text, values: stored, types: TYPES });
      answer.catch(noticeSilence);
      return (await answer).rows as unknown[];
    } catch (error) {
      throw asPrismaSays(error);
    }
  };
  const close = () => {
    void line?.then(({ client }) => client.end());
    line = null;
  };
  return { ask, close };
}

type Line = { client: pg.Client; gather: () => void };

/** `onEnd` is called once nothing can be asked any more; who still waits for an answer gets an error. */
async function openLine(url: string, onEnd: () => void): Promise<Line> {
  const stream = new Socket();
  const client = new Connection({ connectionString: url, ...LIMITS, pipeline: true, stream: () => stream });
  const gather = () => {
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
    await client.query(PLAN_ONCE);
    return { client, gather };
  } catch (error) {
    onEnd();
    void client.end();
    throw error;
  }
}

/** The driver's error in the words of Prisma's, so that one place reads both. */
function asPrismaSays(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  if (code === undefined) return error;
  const kind = /^E[A-Z]+$/.test(code) ? "DatabaseNotReachable" : "postgres";
  const cause = { kind, originalCode: code, originalMessage: message };
  return Object.assign(new Error(message, { cause: error }), {
    code: "P2010",
    meta: { driverAdapterError: { cause } },
  });
}

let silentUntil = 0;

function noticeSilence(error: unknown) {
  if (error instanceof Error && /timeout/.test(error.message)) silentUntil = performance.now() + SILENCE_MS;
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** Once one question got no answer, those who wait for a connection are told so at once instead of one after the other. */
class Connection extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | void {
    if (!callback) return super.connect();
    const done = callback as (error: Error) => void;
    if (performance.now() < silentUntil) {
      process.nextTick(done, new Error("timeout: the database was silent a moment ago"));
      return;
    }
    super.connect((error: Error) => {
      if (error) noticeSilence(error);
      done(error);
    });
  }
}
