import type { PrismaClient } from "../../../prisma/sqlite/client/client.ts";

/** Runs `work` while the database refuses every new row of `table`. */
export async function whileInsertsFail<T>(db: PrismaClient, table: string, work: () => Promise<T>): Promise<T> {
  const isSqlite = process.env.DATABASE_URL?.startsWith("file:");
  const sql = (statement: string) => db.$executeRawUnsafe(statement);
  if (isSqlite)
    await sql(`CREATE TRIGGER "broken" BEFORE INSERT ON "${table}" BEGIN SELECT RAISE(ABORT, 'broken'); END`);
  else {
    await sql(
      `CREATE FUNCTION "broken"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$`,
    );
    await sql(`CREATE TRIGGER "broken" BEFORE INSERT ON "${table}" FOR EACH ROW EXECUTE FUNCTION "broken"()`);
  }
  try {
    return await work();
  } finally {
    await sql(isSqlite ? `DROP TRIGGER "broken"` : `DROP FUNCTION "broken" CASCADE`);
  }
}

/** Runs `work` while no transaction commits: each does everything that it does, and then fails. */
export async function whileCommitsFail<T>(db: PrismaClient, work: () => Promise<T>): Promise<T> {
  const client = db as unknown as { $transaction: (...parameters: unknown[]) => Promise<unknown> };
  const original = client.$transaction;
  client.$transaction = (inside, ...options) => {
    const failing = async (transaction: unknown) => {
      await (inside as (transaction: unknown) => Promise<unknown>)(transaction);
      throw new Error("The commit failed.");
    };
    return original.call(db, failing, ...options);
  };
  try {
    return await work();
  } finally {
    client.$transaction = original;
  }
}
