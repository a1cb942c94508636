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
