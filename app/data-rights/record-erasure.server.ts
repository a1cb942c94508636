import { lockAccountRow } from "../accounts/lock-account-row.server.ts";
import { type ErasedAccount, publishErasedAccounts } from "../backup/erased-accounts.server.ts";
import { now } from "../clock.ts";
import { db, inTransaction, type Transaction } from "../db/database-client.server.ts";

export type DueCondition = { eraseAfter: { lte: Date } } | { closedAt: { lt: Date } } | { id: { in: number[] } };

/**
 * Adds the account to the list of erased accounts. Called before anything is deleted, so that a backup restored at any
 * later time does not bring the family back. From then on the account can be neither kept nor reopened, also while the
 * rest waits for a file store. Returns false if it has been kept or reopened before.
 */
export async function recordErasureIfDue(
  condition: DueCondition,
  accountId: number,
  accountCreatedAt: Date,
): Promise<boolean> {
  const isDue = await inTransaction(async (transaction) => {
    await lockAccountRow(transaction, accountId);
    if ((await transaction.user.count({ where: { AND: condition, id: accountId } })) === 0) return false;
    const notDueCondition = { OR: [{ eraseAfter: null }, { eraseAfter: { gt: now() } }] };
    await transaction.user.updateMany({ where: { id: accountId, ...notDueCondition }, data: { eraseAfter: now() } });
    await recordErasure({ accountId, accountCreatedAt, erasedAt: now() }, transaction);
    return true;
  });
  if (isDue) await publishErasedAccounts();
  return isDue;
}

/** Returns whether the restored database itself contains the erasure: an earlier restore was not finished. */
export async function isErasureRecorded({ accountId, accountCreatedAt }: ErasedAccount): Promise<boolean> {
  return (await db.erasedAccount.count({ where: { accountId, accountCreatedAt } })) > 0;
}

/** Stores an erasure. Keeps the time of the first one. */
export async function recordErasure(
  { accountId, accountCreatedAt, erasedAt }: ErasedAccount,
  database: Pick<Transaction, "erasedAccount"> = db,
): Promise<void> {
  const key = { accountId_accountCreatedAt: { accountId, accountCreatedAt } };
  const create = { accountId, accountCreatedAt, erasedAt };
  // An upsert with an empty update would not be a single statement: see enqueueMessage.
  await database.erasedAccount.upsert({ where: key, update: { accountId }, create, select: { id: true } });
}
