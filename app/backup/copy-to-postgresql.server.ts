import { createHash } from "node:crypto";
import type { Database } from "better-sqlite3";
import type { Client } from "pg";
import { env } from "../env.server.ts";
import { OperatorError } from "../operator-error.ts";
import {
  connectToPostgresql,
  countRows,
  listTablesByDependency,
  quoteIdentifier,
  requireNoOtherConnections,
} from "./postgresql-snapshot.server.ts";
import { isApplicationTable } from "./snapshot-types.server.ts";
import { openSqliteExclusively } from "./sqlite-backup.server.ts";

const ROWS_PER_INSERT = 200;
const HASH_BYTES = 32;
/**
 * Error codes for data exceptions, integrity violations, and values beyond a limit of PostgreSQL, such as an index
 * entry's size.
 */
const DATA_ERROR_PATTERN = /^(22|23|54)/;

type SqlValue = string | number | bigint | boolean | Buffer | null;
type Column = { name: string; type: string };
/** A table's row count, and the XOR of its rows' hashes, which is independent of their order. */
type TableDigest = { rows: number; hash: string };

type CopyOptions = {
  /** `postgresql:` URL of a database without records; the database need not exist yet */
  targetUrl: string;
  /** creates the target if it is missing, and applies this program's migrations to it */
  prepareTarget: () => Promise<void>;
};

/**
 * Copies all records of the SQLite database in DATABASE_URL into a PostgreSQL database, in one transaction of the
 * target that commits only if every table has the same number of rows, with the same content, as the source. The source
 * is locked during the copy and is not changed. Documents stay in FILE_STORAGE. Returns a one-sentence summary. Throws
 * OperatorError if the application is running, the source is not SQLite, the target has records or connections, or
 * PostgreSQL can't store a row.
 */
export async function copyToPostgresql({ targetUrl, prepareTarget }: CopyOptions): Promise<string> {
  if (!env.databaseUrl.startsWith("file:"))
    throw new OperatorError("DATABASE_URL names a PostgreSQL database. Only a SQLite database is moved.");
  const source = await openSqliteExclusively(env.databaseUrl);
  try {
    await prepareTarget();
    const target = await connectToPostgresql(targetUrl);
    try {
      await requireNoOtherConnections(target);
      await assertTargetEmpty(target);
      const digests = await copyAndCompareTables(source, target);
      const rows = digests.reduce((sum, digest) => sum + digest.rows, 0);
      return `Moved ${rows} records in ${digests.length} tables, counted and compared. Set DATABASE_URL to the new database and start. The old file is unchanged: delete it when you no longer need it.`;
    } finally {
      await target.end();
    }
  } finally {
    source.close();
  }
}

async function assertTargetEmpty(target: Client): Promise<void> {
  const counts = Object.entries(await countRows(target)).filter(([, count]) => count > 0);
  if (counts.length > 0)
    throw new OperatorError(
      `The target already has records (${counts.map(([table, count]) => `${table}: ${count}`).join(", ")}). Name an empty database.`,
    );
}

/** Copies and compares all tables, and commits. A difference rolls everything back. */
async function copyAndCompareTables(source: Database, target: Client): Promise<TableDigest[]> {
  await target.query("BEGIN");
  const digests: TableDigest[] = [];
  for (const table of (await listTablesByDependency(target)).filter(isApplicationTable)) {
    const columns = await readColumns(target, table);
    const sourceDigest = await copyRows(source, target, table, columns);
    const targetDigest = await digestRows(target, table, columns);
    if (sourceDigest.rows !== targetDigest.rows || sourceDigest.hash !== targetDigest.hash)
      throw new OperatorError(`The table ${table} is not the same in both databases. Nothing was moved.`);
    digests.push(sourceDigest);
  }
  await copySequences(source, target);
  await target.query("COMMIT");
  return digests;
}

async function copyRows(source: Database, target: Client, table: string, columns: Column[]): Promise<TableDigest> {
  const name = quoteIdentifier(table);
  const insertSql = `INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, $1::json)`;
  const digest = createDigest();
  let batch: Record<string, SqlValue>[] = [];
  const insertBatch = async () => {
    if (batch.length > 0) await insertBatchOrReportRow(target, { table, insert: insertSql, rows: batch });
    batch = [];
  };
  const rows = source.prepare(`SELECT * FROM ${name}`).iterate() as IterableIterator<Record<string, SqlValue>>;
  for (const row of rows) {
    const values = columns.map(({ name: column, type }) => toPostgresql(row[column] ?? null, type));
    digest.add(values);
    batch.push(Object.fromEntries(columns.map(({ name: column }, index) => [column, values[index] ?? null])));
    if (batch.length === ROWS_PER_INSERT) await insertBatch();
  }
  await insertBatch();
  return digest.result();
}

type InsertBatch = { table: string; insert: string; rows: Record<string, SqlValue>[] };

/**
 * Inserts rows. Throws OperatorError for the first row that PostgreSQL refuses; its message has the row's id and none
 * of its values.
 */
async function insertBatchOrReportRow(target: Client, { table, insert, rows }: InsertBatch): Promise<void> {
  await target.query("SAVEPOINT batch");
  try {
    await target.query(insert, [JSON.stringify(rows)]);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || !DATA_ERROR_PATTERN.test(String(error.code))) throw error;
    const [first] = rows;
    if (rows.length === 1) {
      const row = typeof first?.id === "number" ? `the row with id ${first.id}` : "a row";
      throw new OperatorError(
        `PostgreSQL can't store ${row} of the table ${table}: ${error.message}. Nothing was moved.`,
      );
    }
    await target.query("ROLLBACK TO SAVEPOINT batch");
    for (const row of rows) await insertBatchOrReportRow(target, { table, insert, rows: [row] });
  }
  await target.query("RELEASE SAVEPOINT batch");
}

async function digestRows(target: Client, table: string, columns: Column[]): Promise<TableDigest> {
  const digest = createDigest();
  await target.query(
    `DECLARE reader NO SCROLL CURSOR FOR SELECT row_to_json(t) AS row FROM ${quoteIdentifier(table)} t`,
  );
  for (;;) {
    const { rows } = await target.query<{ row: Record<string, SqlValue> }>(`FETCH ${ROWS_PER_INSERT} FROM reader`);
    if (rows.length === 0) break;
    for (const { row } of rows)
      digest.add(
        columns.map(({ name, type }) => (isInstant(type) ? toIsoTimestamp(row[name] ?? null) : (row[name] ?? null))),
      );
  }
  await target.query("CLOSE reader");
  return digest.result();
}

async function readColumns(target: Client, table: string): Promise<Column[]> {
  const query = `SELECT column_name AS name, data_type AS type FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`;
  return (await target.query<Column>(query, [table])).rows;
}

/** Copies the highest ids that SQLite has assigned, including ids of deleted rows, so that no id is reused. */
async function copySequences(source: Database, target: Client): Promise<void> {
  const sequences = source.prepare("SELECT name, seq FROM sqlite_sequence WHERE seq > 0").all() as {
    name: string;
    seq: number;
  }[];
  for (const { name, seq } of sequences)
    await target.query("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", [quoteIdentifier(name), seq]);
}

/** Converts a value to JSON that PostgreSQL converts to the column's type. */
function toPostgresql(value: SqlValue, type: string): SqlValue {
  if (value === null) return null;
  if (type === "boolean") return Boolean(value);
  if (isInstant(type)) return toIsoTimestamp(value);
  return Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : value;
}

function isInstant(type: string): boolean {
  return type.startsWith("timestamp");
}

/**
 * Converts an instant to ISO 8601. SQLite stores milliseconds since 1970, and PostgreSQL's JSON has a time without a
 * zone; both are UTC.
 */
function toIsoTimestamp(value: SqlValue): string | null {
  if (value === null) return null;
  return new Date(typeof value === "string" ? `${value}Z` : Number(value)).toISOString();
}

function createDigest() {
  const hash = Buffer.alloc(HASH_BYTES);
  let rows = 0;
  return {
    add(values: readonly SqlValue[]) {
      rows += 1;
      const rowHash = createHash("sha256").update(JSON.stringify(values)).digest();
      for (let index = 0; index < HASH_BYTES; index++) hash[index] = (hash[index] ?? 0) ^ (rowHash[index] ?? 0);
    },
    result: (): TableDigest => ({ rows, hash: hash.toString("hex") }),
  };
}
