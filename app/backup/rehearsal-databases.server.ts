import { randomBytes } from "node:crypto";
import type { Client } from "pg";
import { env } from "../env.server.ts";
import { connectToPostgresql, quoteIdentifier } from "./postgresql-snapshot.server.ts";

/**
 * First key of the advisory lock that a rehearsal holds; the second is a number from the name of its database. All
 * databases of a server share the list of locks.
 */
const REHEARSAL_LOCK_KEY = 4_714_003;
const NAME_PREFIX = "rehearsal_";
const NAME_BYTES = 6;
const NAME_PATTERN = `^${NAME_PREFIX}[0-9a-f]{${2 * NAME_BYTES}}$`;
/** Hexadecimal digits of the name that form the second key, which is then positive. */
const LOCK_DIGITS = 7;

/**
 * Reserves the name of a PostgreSQL database beside the real one for a rehearsal, which creates it. `remove` drops it.
 * The name is locked for as long as this process is connected, so that no other process takes it for a stale one.
 */
export async function reserveRehearsalDatabase(): Promise<{ url: string; remove: () => Promise<void> }> {
  const digits = randomBytes(NAME_BYTES).toString("hex");
  const name = `${NAME_PREFIX}${digits}`;
  const lockClient = await connectToPostgresql(env.databaseUrl);
  const number = Number.parseInt(digits.slice(0, LOCK_DIGITS), 16);
  await lockClient.query("SELECT pg_advisory_lock($1, $2)", [REHEARSAL_LOCK_KEY, number]);
  const url = new URL(env.databaseUrl);
  url.pathname = `/${name}`;
  const remove = async () => {
    await withConnection((client) => client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`));
    await lockClient.end();
  };
  return { url: url.href, remove };
}

/**
 * Drops the databases of killed rehearsals: those with such a name, of this database account, that no process has
 * locked or is connected to. A rehearsal locks its database's name before it creates the database.
 */
export async function dropStaleRehearsalDatabases(): Promise<void> {
  const query = `SELECT datname AS name FROM pg_database d
    WHERE datname ~ $1 AND pg_get_userbyid(datdba) = current_user
      AND NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $2::oid AND objsubid = 2
        AND objid = ('x0' || substr(d.datname, $3, $4))::bit(32)::int::oid)
      AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.datid = d.oid)`;
  const values = [NAME_PATTERN, REHEARSAL_LOCK_KEY, NAME_PREFIX.length + 1, LOCK_DIGITS];
  await withConnection(async (client) => {
    const { rows } = await client.query<{ name: string }>(query, values);
    // Without FORCE: PostgreSQL refuses to drop a database that somebody has connected to meanwhile.
    for (const { name } of rows) await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)}`);
  });
}

async function withConnection(task: (client: Client) => Promise<unknown>): Promise<void> {
  const client = await connectToPostgresql(env.databaseUrl);
  try {
    await task(client);
  } finally {
    await client.end();
  }
}
