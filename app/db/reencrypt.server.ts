import { join, raw, type Sql, sqltag as sql } from "@prisma/client/runtime/client";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { emptyFreePages, inTransaction } from "./client.server.ts";
import type { FileKey } from "../env-schema.server.ts";
import { SEALED_TABLES } from "./encrypted-fields.server.ts";
import { isSealed, newestMark, sealText, tryOpenText } from "./field-encryption.server.ts";

/** Rows of one transaction: on SQLite everybody else who writes waits meanwhile. */
const BATCH_ROWS = 50;
const PAUSE_MS = 20;

type Table = (typeof SEALED_TABLES)[string];
type Row = Record<string, unknown>;
type Scope =
  /** only what is still plain */
  | "plain"
  /** what is plain, and what an older key sealed */
  | "older"
  /** each value that is not sealed with one of ours, as after a restore; nobody else may be at work */
  | "foreign";

type Order = {
  scope: Scope;
  /** keys that open what is there, besides our own */
  others?: FileKey[];
  isStopped?: () => boolean;
};

/**
 * Seals stored texts with the newest key, a few rows at a time. Can be stopped and begun again, and runs beside the
 * product: a value that was changed meanwhile stays as it is. Says how many rows were changed, and in which columns some
 * values could not be opened; those stay as they are.
 */
export async function resealTexts({ scope, others = [], isStopped = () => false }: Order) {
  const left = new Set<string>();
  let changed = 0;
  if (newestMark() === null) return { changed, left: [] };
  for (const table of Object.values(SEALED_TABLES)) {
    for (let offset = 0; !isStopped();) {
      const batch = await inTransaction((client) => resealBatch(client, table, scope, others, offset));
      for (const place of batch.left) left.add(place);
      changed += batch.changed;
      if (batch.rows < BATCH_ROWS) break;
      // Rows that are done no longer come up, except where all are looked at.
      offset += scope === "foreign" ? batch.rows : batch.rows - batch.changed;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  if (changed > 0 && !isStopped()) await emptyFreePages();
  return { changed, left: [...left].toSorted() };
}

async function resealBatch(
  client: Prisma.TransactionClient,
  { table, key, columns }: Table,
  scope: Scope,
  others: readonly FileKey[],
  offset: number,
) {
  const names = Object.keys(columns);
  const wanted = join(
    names.map((name) => conditionOf(name, scope)),
    " OR ",
  );
  const rows = await client.$queryRaw<Row[]>(sql`
    SELECT ${list([...key, ...names])} FROM ${quoted(table)} WHERE ${wanted}
    ORDER BY ${list(key)} LIMIT ${BATCH_ROWS} OFFSET ${offset}`);
  const left: string[] = [];
  let changed = 0;
  for (const row of rows) {
    const next: [name: string, before: string, after: string][] = [];
    for (const name of names) {
      const place = `${table}.${name}`;
      const before = row[name];
      if (typeof before !== "string" || isDone(before, scope, place)) continue;
      const text = tryOpenText(before, place, others);
      if (text === null) left.push(place);
      else next.push([name, before, sealText(text, place)]);
    }
    if (next.length > 0) changed += await replace(client, table, key, row, next);
  }
  return { rows: rows.length, changed, left };
}

/** Says 1 when the row was still as it was read, else 0. */
function replace(
  client: Prisma.TransactionClient,
  table: string,
  key: readonly string[],
  row: Row,
  next: [string, string, string][],
): Promise<number> {
  const values = next.map(([name, , after]) => sql`${quoted(name)} = ${after}`);
  const same = [
    ...key.map((name) => sql`${quoted(name)} = ${row[name]}`),
    ...next.map(([name, before]) => sql`${quoted(name)} = ${before}`),
  ];
  return client.$executeRaw(sql`UPDATE ${quoted(table)} SET ${join(values)} WHERE ${join(same, " AND ")}`);
}

function isDone(stored: string, scope: Scope, place: string): boolean {
  if (scope === "plain") return isSealed(stored);
  if (scope === "older") return stored.startsWith(newestMark() ?? "");
  return isSealed(stored) && tryOpenText(stored, place) !== null;
}

function conditionOf(name: string, scope: Scope): Sql {
  const column = quoted(name);
  if (scope === "foreign") return sql`${column} IS NOT NULL`;
  const mark = scope === "plain" ? "sealed:1:" : (newestMark() ?? "");
  return sql`(${column} IS NOT NULL AND substr(${column}, 1, ${raw(String(mark.length))}) <> ${mark})`;
}

function list(names: readonly string[]): Sql {
  return join(names.map(quoted));
}

/** Names come from our own list of tables, never from a request. */
function quoted(name: string): Sql {
  return raw(`"${name}"`);
}

/** Seals what is still plain, in the background; `stop` ends that early and resolves when nothing of it runs any more. */
export function startSealing(report: (error: unknown) => void): { stop: () => Promise<void> } {
  let isStopped = false;
  const seal = async () => {
    try {
      await resealTexts({ scope: "plain", isStopped: () => isStopped });
    } catch (error) {
      report(error);
    }
  };
  const done = seal();
  return {
    stop: () => {
      isStopped = true;
      return done;
    },
  };
}
