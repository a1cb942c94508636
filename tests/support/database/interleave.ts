import type { PrismaClient } from "../../../prisma/sqlite/client/client.ts";

/** Runs `action` when the next transaction is about to begin: after everything that its caller has read before. */
export function beforeNextTransaction(db: PrismaClient, action: () => Promise<unknown>): void {
  const client = db as unknown as { $transaction: (...parameters: unknown[]) => Promise<unknown> };
  const original = client.$transaction;
  client.$transaction = async (...parameters) => {
    client.$transaction = original;
    await action();
    return original.apply(db, parameters);
  };
}

/** Runs `action` when the next transaction has done everything and is about to commit. */
export function beforeNextCommit(db: PrismaClient, action: () => Promise<unknown>): void {
  const client = db as unknown as { $transaction: (...parameters: unknown[]) => Promise<unknown> };
  const original = client.$transaction;
  client.$transaction = (inside, ...options) => {
    client.$transaction = original;
    const work = async (transaction: unknown) => {
      const result = await (inside as (transaction: unknown) => Promise<unknown>)(transaction);
      await action();
      return result;
    };
    return original.call(db, work, ...options);
  };
}
