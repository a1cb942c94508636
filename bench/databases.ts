import path from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { migrate } from "../bin/migrate.js";
import { startPostgres } from "../tests/support/servers/postgres-server.ts";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";

const MINUTE_MS = 60_000;
/** One appointment of 15 minutes in each half hour, so half of each busy day is free. */
const STEP_MS = 30 * MINUTE_MS;
const LENGTH_MINUTES = 15;
const APPOINTMENT_COLUMNS = `"userId", "title", "appointmentDate", "duration", "type", "status", "createdAt", "updatedAt"`;

export type DatabaseKind = "SQLite" | "PostgreSQL";
export type DatabaseFactory = {
  kind: DatabaseKind;
  /** Creates an empty, migrated database; returns its URL. */
  create: (name: string) => Promise<string>;
  stop: () => Promise<void>;
};

export async function openDatabases(kind: DatabaseKind): Promise<DatabaseFactory> {
  if (kind === "SQLite") {
    const folder = temporaryFolder("bench-sqlite");
    const create = async (name: string) => createMigrated(`file:${path.join(folder, `${name}.db`)}`);
    return { kind, create, stop: async () => {} };
  }
  const server = await startPostgres();
  return { kind, create: (name) => createMigrated(server.url.replace(/postgres$/, name)), stop: server.stop };
}

/**
 * Inserts `count` appointments without overlap, one each half hour, the last one before `end` (milliseconds since 1970,
 * UTC). The days before `end` are the same for any count.
 */
export async function seedAppointments(url: string, count: number, end: number): Promise<void> {
  const first = end - count * STEP_MS;
  await (url.startsWith("file:") ? seedSqlite(url, count, first) : seedPostgresql(url, count, first));
}

/** Counts the appointments that are not cancelled. */
export async function countAppointments(url: string): Promise<number> {
  const sql = `SELECT count(*) AS "count" FROM "appointments" WHERE "status" <> 'cancelled'`;
  if (url.startsWith("file:")) {
    const database = new Database(url.slice("file:".length));
    const { count } = database.prepare<[], { count: number }>(sql).get() ?? { count: Number.NaN };
    database.close();
    return count;
  }
  return withClient(url, async (client) => Number((await client.query<{ count: string }>(sql)).rows[0]?.count));
}

/** Inserts `count` families and assigns the appointments without a family to them evenly. */
export async function seedFamilies(url: string, count: number): Promise<void> {
  const columns = `"email", "password", "firstName", "lastName", "updatedAt"`;
  const assignAppointments = `UPDATE "appointments" SET "userId" = (SELECT max("id") FROM "users") - "id" % ${count} WHERE "userId" IS NULL`;
  if (url.startsWith("file:")) {
    const database = new Database(url.slice("file:".length));
    const insertUser = database.prepare(`INSERT INTO "users" (${columns}) VALUES (?, '-', ?, ?, ?)`);
    database.transaction(() => {
      for (let n = 0; n < count; n += 1) insertUser.run(`many.${n}@example.com`, `First${n}`, `Last${n}`, Date.now());
      database.exec(assignAppointments);
    })();
    database.exec("ANALYZE");
    database.close();
    return;
  }
  await withClient(url, async (client) => {
    await client.query(
      `INSERT INTO "users" (${columns})
       SELECT 'many.' || n || '@example.com', '-', 'First' || n, 'Last' || n, now() FROM generate_series(0, ${count - 1}) AS n`,
    );
    await client.query(assignAppointments);
    await client.query("VACUUM ANALYZE");
  });
}

async function createMigrated(url: string): Promise<string> {
  await migrate(url);
  return url;
}

/** Leaves the triggers on: the database itself checks for overlaps. */
async function seedSqlite(url: string, count: number, first: number) {
  const database = new Database(url.slice("file:".length));
  database.pragma("synchronous = OFF");
  database
    .prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)
       INSERT INTO "appointments" (${APPOINTMENT_COLUMNS})
       SELECT NULL, 'Follow-Up Session', ? + n * ${STEP_MS}, ${LENGTH_MINUTES}, 'follow-up', 'scheduled', ?, ? FROM numbers`,
    )
    .run(count, first, first, first);
  database.exec("ANALYZE");
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
}

/** Drops the constraint and adds it again after the insert: it then checks all rows, ten times as fast. */
async function seedPostgresql(url: string, count: number, first: number) {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ definition: string }>(
      `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = 'appointments_no_overlap'`,
    );
    const definition = rows[0]?.definition;
    if (!definition) throw new Error("The database has no constraint against overlapping appointments.");
    await client.query(`SET maintenance_work_mem = '256MB'`);
    await client.query(`ALTER TABLE "appointments" DISABLE TRIGGER USER, DROP CONSTRAINT "appointments_no_overlap"`);
    await client.query(
      `INSERT INTO "appointments" (${APPOINTMENT_COLUMNS})
       SELECT NULL, 'Follow-Up Session', to_timestamp($1::float8 / 1000) AT TIME ZONE 'UTC' + n * interval '30 minutes',
              ${LENGTH_MINUTES}, 'follow-up', 'scheduled', now(), now()
       FROM generate_series(0, $2::int - 1) AS n`,
      [first, count],
    );
    await client.query(
      `ALTER TABLE "appointments" ENABLE TRIGGER USER, ADD CONSTRAINT "appointments_no_overlap" ${definition}`,
    );
    await client.query(`VACUUM ANALYZE "appointments"`);
  });
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
