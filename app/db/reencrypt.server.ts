import { join, raw, type Sql, sqltag as sql } from "@prisma/client/runtime/client";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { vacuumDatabase, inTransaction } from "./database-client.server.ts";
import type { MasterKey } from "../env-schema.server.ts";
import { ENCRYPTED_COLUMNS } from "./encrypted-columns.server.ts";
import {
  ENCRYPTED_PREFIX,
  encryptText,
  isEncrypted,
  newestKeyPrefix,
  tryDecryptText,
} from "./text-encryption.server.ts";

/** Rows per transaction. Kept small because on SQLite every other writer waits during the transaction. */
const BATCH_SIZE = 50;
const BATCH_PAUSE_MS = 20;

type EncryptedTable = (typeof ENCRYPTED_COLUMNS)[string];
type Row = Record<string, unknown>;
type ReencryptScope =
  /** plain values */
  | "plaintext"
  /** plain values, and values encrypted with an older key */
  | "outdated-key"
  /** plain values, and values that this process's keys can't decrypt: after a restore, while no other process writes */
  | "unknown-key";

type ReencryptOptions = {
  scope: ReencryptScope;
  /** keys to decrypt with, in addition to this process's own */
  otherKeys?: MasterKey[];
  /** When this returns true, the work ends after the transaction in progress. */
  isStopped?: () => boolean;
};

/**
 * Encrypts stored texts with the newest key, 50 rows per transaction. Can be stopped and started again, and can run at
 * the same time as the application: a value that another writer changed in the meantime is not overwritten. Returns the
 * number of changed rows and the columns with values that can't be decrypted; those values are not changed.
 */
export async function reencryptTexts({ scope, otherKeys = [], isStopped = () => false }: ReencryptOptions) {
  const unreadableColumns = new Set<string>();
  let changed = 0;
  if (newestKeyPrefix() === null) return { changed, unreadableColumns: [] };
  for (const table of Object.values(ENCRYPTED_COLUMNS)) {
    for (let offset = 0; !isStopped();) {
      const batch = await inTransaction((client) => reencryptBatch(client, table, scope, otherKeys, offset));
      for (const column of batch.unreadableColumns) unreadableColumns.add(column);
      changed += batch.changed;
      if (batch.rows < BATCH_SIZE) break;
      // Changed rows no longer match the condition, except for "unknown-key", whose condition is every row.
      offset += scope === "unknown-key" ? batch.rows : batch.rows - batch.changed;
      await new Promise((resolve) => setTimeout(resolve, BATCH_PAUSE_MS));
    }
  }
  if (changed > 0 && !isStopped()) await vacuumDatabase();
  return { changed, unreadableColumns: [...unreadableColumns].toSorted() };
}

async function reencryptBatch(
  client: Prisma.TransactionClient,
  { table, key, columns }: EncryptedTable,
  scope: ReencryptScope,
  otherKeys: readonly MasterKey[],
  offset: number,
) {
  const names = Object.keys(columns);
  const condition = join(
    names.map((name) => scopeCondition(name, scope)),
    " OR ",
  );
  const rows = await client.$queryRaw<Row[]>(sql`
    SELECT ${quoteNames([...key, ...names])} FROM ${quoteName(table)} WHERE ${condition}
    ORDER BY ${quoteNames(key)} LIMIT ${BATCH_SIZE} OFFSET ${offset}`);
  const unreadableColumns: string[] = [];
  let changed = 0;
  for (const row of rows) {
    const changes: [name: string, before: string, after: string][] = [];
    for (const name of names) {
      const column = `${table}.${name}`;
      const before = row[name];
      if (typeof before !== "string" || isUpToDate(before, scope, column)) continue;
      const text = tryDecryptText(before, column, otherKeys);
      if (text === null) unreadableColumns.push(column);
      else changes.push([name, before, encryptText(text, column)]);
    }
    if (changes.length > 0) changed += await updateRowIfUnchanged(client, table, key, row, changes);
  }
  return { rows: rows.length, changed, unreadableColumns };
}

/** Updates a row. Returns 1, or 0 if another writer changed the row since it was read. */
function updateRowIfUnchanged(
  client: Prisma.TransactionClient,
  table: string,
  key: readonly string[],
  row: Row,
  changes: [string, string, string][],
): Promise<number> {
  const assignments = changes.map(([name, , after]) => sql`${quoteName(name)} = ${after}`);
  const conditions = [
    ...key.map((name) => sql`${quoteName(name)} = ${row[name]}`),
    ...changes.map(([name, before]) => sql`${quoteName(name)} = ${before}`),
  ];
  return client.$executeRaw(
    sql`UPDATE ${quoteName(table)} SET ${join(assignments)} WHERE ${join(conditions, " AND ")}`,
  );
}

function isUpToDate(stored: string, scope: ReencryptScope, column: string): boolean {
  if (scope === "plaintext") return isEncrypted(stored);
  if (scope === "outdated-key") return stored.startsWith(newestKeyPrefix() ?? "");
  return isEncrypted(stored) && tryDecryptText(stored, column) !== null;
}

function scopeCondition(name: string, scope: ReencryptScope): Sql {
  const column = quoteName(name);
  if (scope === "unknown-key") return sql`${column} IS NOT NULL`;
  const prefix = scope === "plaintext" ? ENCRYPTED_PREFIX : (newestKeyPrefix() ?? "");
  return sql`(${column} IS NOT NULL AND substr(${column}, 1, ${raw(String(prefix.length))}) <> ${prefix})`;
}

function quoteNames(names: readonly string[]): Sql {
  return join(names.map(quoteName));
}

/** Quotes an SQL name. `name` comes from ENCRYPTED_COLUMNS, never from a request. */
function quoteName(name: string): Sql {
  return raw(`"${name}"`);
}
