/** Maximum rows of one table: many times the number that a practice has, and few enough to be held in memory. */
const MAX_TABLE_ROWS = 200_000;

type Row = Record<string, unknown>;

/**
 * The database that a restore replaces. A query throws if it uses a table or column that an older version did not have.
 */
export type ReplacedDatabase = {
  /** Returns all rows of a query. Throws if there are 200,000 or more. */
  readRows: (sql: string) => Promise<Row[]>;
  /** Returns a list of columns that hold instants, for SELECT. `toDate` reads their values. */
  instants: (...columns: string[]) => string;
  /** Returns an instant in the form in which it is compared with a column. */
  literal: (instant: Date) => string;
};

export function createReplacedDatabaseReader(
  provider: "sqlite" | "postgresql",
  query: (sql: string) => Promise<Row[]>,
): ReplacedDatabase {
  const isSqlite = provider === "sqlite";
  return {
    async readRows(sql) {
      const rows = await query(`SELECT * FROM (${sql}) AS found LIMIT ${MAX_TABLE_ROWS}`);
      if (rows.length === MAX_TABLE_ROWS) throw new Error("There are too many rows to be compared.");
      return rows;
    },
    instants: (...columns) =>
      columns.map((name) => (isSqlite ? `"${name}"` : `"${name}" AT TIME ZONE 'UTC' AS "${name}"`)).join(", "),
    literal: (instant) => (isSqlite ? String(instant.getTime()) : `'${instant.toISOString().slice(0, -1)}'`),
  };
}

export function toDate(value: unknown): Date {
  return new Date(value as string | number | Date);
}
