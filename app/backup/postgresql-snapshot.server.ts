import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { OperatorError } from "../operator-error.ts";
import { createReplacedDatabaseReader } from "../db/replaced-database.ts";
import {
  type DatabaseSnapshot,
  ERASED_TABLE,
  type RestoredFiles,
  isApplicationTable,
  type Migration,
  type RestoreTarget,
} from "./snapshot-types.server.ts";
import { type ErasedAccount, type ErasedAccountRow, toErasedAccount } from "./erased-accounts.server.ts";
import type { Trailer, Frame } from "./backup-frame-format.server.ts";
import { readRevocations } from "./revocations.server.ts";

const CONNECT_TIMEOUT_MS = 5000;
const CONNECTIONS_POLL_MS = 200;
const ROWS_PER_FETCH = 200;
const MIGRATIONS_TABLE = "_prisma_migrations";

/** The table that Prisma creates before its first migration. */
const CREATE_MIGRATIONS_TABLE = `CREATE TABLE "_prisma_migrations" (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

/** Takes a snapshot in one REPEATABLE READ transaction, which does not see concurrent changes. */
export async function snapshotPostgresql(url: string): Promise<DatabaseSnapshot> {
  const client = await connectToPostgresql(url);
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const history = `SELECT migration_name FROM ${MIGRATIONS_TABLE} WHERE finished_at IS NOT NULL`;
    const migrations = (await client.query<{ migration_name: string }>(history)).rows;
    const documents =
      'SELECT id, "filePath", "fileSize", "fileKey" AS "wrappedDataKey", "keyId", sha256 FROM documents ORDER BY id';
    return {
      provider: "postgresql",
      migrations: migrations.map((row) => row.migration_name),
      documents: (await client.query<DatabaseSnapshot["documents"][number]>(documents)).rows,
      tables: await countRows(client),
      sequences: await readSequences(client),
      frames: () => rowFrames(client),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function* rowFrames(client: Client): AsyncGenerator<Frame> {
  for (const table of await listTablesByDependency(client)) {
    const name = quoteIdentifier(table);
    await client.query(`DECLARE reader NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS row FROM ${name} t`);
    for (;;) {
      const { rows } = await client.query<{ row: string }>(`FETCH ${ROWS_PER_FETCH} FROM reader`);
      if (rows.length === 0) break;
      yield { kind: "rows", table, rows: rows.map(({ row }) => row) };
    }
    await client.query("CLOSE reader");
  }
}

/**
 * Returns a restore target that replaces the database in one transaction: until it commits, the old data is unchanged.
 */
export function postgresqlRestoreTarget(url: string, migrations: Migration[]): RestoreTarget {
  return {
    async inspect(backupAt) {
      const client = await connectToPostgresql(url);
      try {
        await requireNoOtherConnections(client);
        const counts = await countRows(client);
        const query = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;
        const revocations = await readRevocations(createReplacedDatabaseReader("postgresql", query), backupAt);
        return { counts, erased: ERASED_TABLE in counts ? await readErased(client) : [], revocations };
      } finally {
        await client.end();
      }
    },
    async replace(frames, restoredFiles, trailer) {
      const client = await connectToPostgresql(url);
      try {
        await client.query("BEGIN");
        await dropTablesAndFunctions(client);
        await client.query(CREATE_MIGRATIONS_TABLE);
        for (const { sql } of migrations) await client.query(sql);
        for await (const frame of frames) {
          if (Buffer.isBuffer(frame) || frame.kind !== "rows") continue;
          const name = quoteIdentifier(frame.table);
          const insert = `INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, $1::json)`;
          await client.query(insert, [`[${frame.rows.join(",")}]`]);
        }
        await finishRestore(client, restoredFiles, trailer);
        const counts = await countRows(client);
        await client.query("COMMIT");
        return counts;
      } finally {
        await client.end();
      }
    },
  };
}

async function readErased(client: Client): Promise<ErasedAccount[]> {
  const utc = (column: string) => `"${column}" AT TIME ZONE 'UTC' AS "${column}"`;
  const query = `SELECT "accountId", ${utc("accountCreatedAt")}, ${utc("erasedAt")} FROM ${ERASED_TABLE}`;
  return (await client.query<ErasedAccountRow>(query)).rows.map(toErasedAccount);
}

/**
 * Throws OperatorError if other connections still exist after 2 s. The connection of a process that has just ended may
 * take that long to close.
 */
export async function requireNoOtherConnections(client: Client): Promise<void> {
  const countOthersSql = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;
  for (let attempts = 0; ; attempts++) {
    const { count = 0 } = (await client.query<{ count: number }>(countOthersSql)).rows[0] ?? {};
    if (count === 0) return;
    if (attempts === 10)
      throw new OperatorError(`${count} others are connected to this database. Stop the product first.`);
    await sleep(CONNECTIONS_POLL_MS);
  }
}

async function finishRestore(
  client: Client,
  restoredFiles: RestoredFiles,
  { gone, sequences }: Trailer,
): Promise<void> {
  const updateSql = 'UPDATE documents SET "filePath" = $1, "fileKey" = $2, "keyId" = $3 WHERE id = $4';
  for (const [id, { filePath, wrappedDataKey, keyId }] of restoredFiles)
    await client.query(updateSql, [filePath, wrappedDataKey, keyId, id]);
  await client.query("DELETE FROM documents WHERE id = ANY($1)", [gone]);
  for (const [name, last] of Object.entries(sequences)) {
    await client.query("SELECT setval(to_regclass($1), $2)", [quoteIdentifier(name), last]);
  }
}

/** Drops all tables and functions one by one, because this database account may not own the schema. */
async function dropTablesAndFunctions(client: Client): Promise<void> {
  const tables = await listTablesByDependency(client);
  if (tables.length > 0) await client.query(`DROP TABLE ${tables.map(quoteIdentifier).join()} CASCADE`);
  const functions = `SELECT p.oid::regprocedure::text AS name FROM pg_proc p
    WHERE p.pronamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`;
  for (const { name } of (await client.query<{ name: string }>(functions)).rows) {
    await client.query(`DROP FUNCTION ${name} CASCADE`);
  }
}

/** Returns all tables, ordered so that a referenced table comes before those that refer to it. */
export async function listTablesByDependency(client: Client): Promise<string[]> {
  const query = `SELECT c.relname AS name,
      coalesce(array_agg(r.relname::text) FILTER (WHERE r.relname IS NOT NULL), '{}') AS needs
    FROM pg_class c
    LEFT JOIN pg_constraint f ON f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid
    LEFT JOIN pg_class r ON r.oid = f.confrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    GROUP BY c.relname ORDER BY c.relname`;
  let remaining = (await client.query<{ name: string; needs: string[] }>(query)).rows;
  const ordered: string[] = [];
  while (remaining.length > 0) {
    const ready = remaining.filter(({ needs }) => needs.every((need) => ordered.includes(need)));
    if (ready.length === 0)
      throw new Error(`These tables refer to each other in a circle: ${JSON.stringify(remaining)}`);
    ordered.push(...ready.map(({ name }) => name));
    remaining = remaining.filter(({ name }) => !ordered.includes(name));
  }
  return ordered;
}

export async function countRows(client: Client): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of (await listTablesByDependency(client)).filter(isApplicationTable)) {
    const query = `SELECT count(*)::int AS count FROM ${quoteIdentifier(table)}`;
    counts[table] = (await client.query<{ count: number }>(query)).rows[0]?.count ?? 0;
  }
  return counts;
}

async function readSequences(client: Client): Promise<Record<string, number>> {
  const query = `SELECT sequencename AS name, last_value::int AS last FROM pg_sequences
    WHERE schemaname = current_schema() AND last_value IS NOT NULL`;
  const { rows } = await client.query<{ name: string; last: number }>(query);
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export async function connectToPostgresql(url: string): Promise<Client> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Without this listener, a connection that breaks while idle would crash the process. The next query throws instead.
  client.on("error", () => {});
  await client.connect().catch((error: Error) => {
    throw new OperatorError(`The database does not answer as DATABASE_URL says: ${error.message}`);
  });
  return client;
}
