import type { Transaction } from "../db/client.server.ts";
import { type ReplacedDatabase, toDate } from "../db/replaced-database.ts";

type Withdrawal = { signedAt: Date; withdrawnAt: Date; isUnreviewedWithdrawal: boolean };

/** When a signature was given and taken back, and whether the administrator has yet to see that, by its number. */
export type WithdrawnConsents = ReadonlyMap<number, Withdrawal>;

/** What families of the database that is replaced have taken back, by the family. */
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

/** Takes back again, after a backup was restored, what a family had taken back after it was made. Returns how many. */
export async function reapplyWithdrawals(
  transaction: Transaction,
  userId: number,
  withdrawn: WithdrawnConsents,
): Promise<number> {
  let total = 0;
  for (const [id, { signedAt, ...withdrawal }] of withdrawn) {
    // A signature that was given after the restore of an older backup can have the same number.
    const where = { id, userId, signedAt, withdrawnAt: null };
    total += (await transaction.consent.updateMany({ where, data: withdrawal })).count;
  }
  return total;
}
