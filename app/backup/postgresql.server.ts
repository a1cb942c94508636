import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { OperatorError } from "../start-error.ts";
import { type Contents, type Found, isOurs, type Migration, type Target } from "./contents.server.ts";
import type { End, Frame } from "./frames.server.ts";

const CONNECT_MS = 5000;
const OTHERS_MS = 200;
const ROWS_AT_ONCE = 200;
const HISTORY = "_prisma_migrations";

/** As Prisma makes it, before its first migration. */
const MAKE_HISTORY = `CREATE TABLE "_prisma_migrations" (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

/** A picture of the database as it is now: one transaction that sees nothing of what others write meanwhile. */
export async function readPostgresql(url: string): Promise<Contents> {
  const client = await connect(url);
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const history = `SELECT migration_name FROM ${HISTORY} WHERE finished_at IS NOT NULL`;
    const migrations = (await client.query<{ migration_name: string }>(history)).rows;
    const documents = 'SELECT id, "filePath", "fileSize", "fileKey", "keyId", sha256 FROM documents ORDER BY id';
    return {
      provider: "postgresql",
      migrations: migrations.map((row) => row.migration_name),
      documents: (await client.query<Contents["documents"][number]>(documents)).rows,
      tables: await countRows(client),
      sequences: await sequencesOf(client),
      frames: () => rowsOf(client),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function* rowsOf(client: Client): AsyncGenerator<Frame> {
  for (const table of await tablesOf(client)) {
    const name = quoted(table);
    await client.query(`DECLARE reader NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS row FROM ${name} t`);
    for (;;) {
      const { rows } = await client.query<{ row: string }>(`FETCH ${ROWS_AT_ONCE} FROM reader`);
      if (rows.length === 0) break;
      yield { kind: "rows", table, rows: rows.map(({ row }) => row) };
    }
    await client.query("CLOSE reader");
  }
}

/** Everything happens in one transaction: until its end the old database is untouched. */
export function postgresqlTarget(url: string, migrations: Migration[]): Target {
  return {
    async look() {
      const client = await connect(url);
      try {
        await refuseOthers(client);
        return await countRows(client);
      } finally {
        await client.end();
      }
    },
    async put(frames, found, end) {
      const client = await connect(url);
      try {
        await client.query("BEGIN");
        await clear(client);
        await client.query(MAKE_HISTORY);
        for (const { sql } of migrations) await client.query(sql);
        for await (const frame of frames) {
          if (Buffer.isBuffer(frame) || frame.kind !== "rows") continue;
          const name = quoted(frame.table);
          const insert = `INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, $1::json)`;
          await client.query(insert, [`[${frame.rows.join(",")}]`]);
        }
        await finish(client, found, end);
        const counts = await countRows(client);
        await client.query("COMMIT");
        return counts;
      } finally {
        await client.end();
      }
    },
  };
}

/** A product that has just ended may still be counted for a moment. */
async function refuseOthers(client: Client): Promise<void> {
  const others = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;
  for (let tries = 0; ; tries++) {
    const { count = 0 } = (await client.query<{ count: number }>(others)).rows[0] ?? {};
    if (count === 0) return;
    if (tries === 10)
      throw new OperatorError(`${count} others are connected to this database. Stop the product first.`);
    await sleep(OTHERS_MS);
  }
}

async function finish(client: Client, found: Found, { gone, sequences }: End): Promise<void> {
  const place = 'UPDATE documents SET "filePath" = $1, "fileKey" = $2, "keyId" = $3 WHERE id = $4';
  for (const [id, { filePath, fileKey, keyId }] of found) await client.query(place, [filePath, fileKey, keyId, id]);
  await client.query("DELETE FROM documents WHERE id = ANY($1)", [gone]);
  for (const [name, last] of Object.entries(sequences)) {
    await client.query("SELECT setval(to_regclass($1), $2)", [quoted(name), last]);
  }
}

/** Takes away what is there, table by table: the schema itself may belong to somebody else. */
async function clear(client: Client): Promise<void> {
  const tables = await tablesOf(client);
  if (tables.length > 0) await client.query(`DROP TABLE ${tables.map(quoted).join()} CASCADE`);
  const functions = `SELECT p.oid::regprocedure::text AS name FROM pg_proc p
    WHERE p.pronamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`;
  for (const { name } of (await client.query<{ name: string }>(functions)).rows) {
    await client.query(`DROP FUNCTION ${name} CASCADE`);
  }
}

/** Every table, those that others refer to first. */
async function tablesOf(client: Client): Promise<string[]> {
  const query = `SELECT c.relname AS name, coalesce(array_agg(r.relname::text) FILTER (WHERE r.relname IS NOT NULL), '{}') AS needs
    FROM pg_class c
    LEFT JOIN pg_constraint f ON f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid
    LEFT JOIN pg_class r ON r.oid = f.confrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    GROUP BY c.relname ORDER BY c.relname`;
  let left = (await client.query<{ name: string; needs: string[] }>(query)).rows;
  const ordered: string[] = [];
  while (left.length > 0) {
    const ready = left.filter(({ needs }) => needs.every((need) => ordered.includes(need)));
    if (ready.length === 0) throw new Error(`These tables refer to each other in a circle: ${JSON.stringify(left)}`);
    ordered.push(...ready.map(({ name }) => name));
    left = left.filter(({ name }) => !ordered.includes(name));
  }
  return ordered;
}

async function countRows(client: Client): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of (await tablesOf(client)).filter(isOurs)) {
    const query = `SELECT count(*)::int AS count FROM ${quoted(table)}`;
    counts[table] = (await client.query<{ count: number }>(query)).rows[0]?.count ?? 0;
  }
  return counts;
}

async function sequencesOf(client: Client): Promise<Record<string, number>> {
  const query = `SELECT sequencename AS name, last_value::int AS last FROM pg_sequences
    WHERE schemaname = current_schema() AND last_value IS NOT NULL`;
  const { rows } = await client.query<{ name: string; last: number }>(query);
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

async function connect(url: string): Promise<Client> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  // A connection that breaks while nobody asks; the next question says so.
  client.on("error", () => {});
  await client.connect().catch((error: Error) => {
    throw new OperatorError(`The database does not answer as DATABASE_URL says: ${error.message}`);
  });
  return client;
}
