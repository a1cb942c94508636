import type { Transaction } from "../db/database-client.server.ts";
import { type ReplacedDatabase, toDate } from "../db/replaced-database.ts";

type Withdrawal = { signedAt: Date; withdrawnAt: Date; isUnreviewedWithdrawal: boolean };

/**
 * When each signature was given and withdrawn, and whether the administrator has not seen the withdrawal yet, keyed by
 * the signature's id.
 */
export type WithdrawnConsents = ReadonlyMap<number, Withdrawal>;

/** Returns the withdrawals in the database being replaced, keyed by family. */
export async function readWithdrawnConsents(database: ReplacedDatabase): Promise<Map<number, WithdrawnConsents>> {
  const { readRows, instants } = database;
  const times = instants("signedAt", "withdrawnAt");
  const rows = await readRows(
    `SELECT id, "userId", "isUnreviewedWithdrawal", ${times} FROM consents WHERE "withdrawnAt" IS NOT NULL`,
  );
  const withdrawn = new Map<number, Map<number, Withdrawal>>();
  for (const { id, userId, isUnreviewedWithdrawal, signedAt, withdrawnAt } of rows) {
    const own = withdrawn.get(Number(userId)) ?? new Map();
    withdrawn.set(
      Number(userId),
      own.set(Number(id), {
        signedAt: toDate(signedAt),
        withdrawnAt: toDate(withdrawnAt),
        isUnreviewedWithdrawal: Boolean(isUnreviewedWithdrawal),
      }),
    );
  }
  return withdrawn;
}

/**
 * Repeats, after a backup was restored, a family's withdrawals that were made after the backup. Returns the number of
 * withdrawn signatures.
 */
export async function reapplyConsentWithdrawals(
  transaction: Transaction,
  userId: number,
  withdrawn: WithdrawnConsents,
): Promise<number> {
  let total = 0;
  for (const [id, { signedAt, ...withdrawal }] of withdrawn) {
    // `signedAt` is compared too, because a signature given after an older backup was restored can have the same id.
    const where = { id, userId, signedAt, withdrawnAt: null };
    total += (await transaction.consent.updateMany({ where, data: withdrawal })).count;
  }
  return total;
}
