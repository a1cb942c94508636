import type { Transaction } from "../db/client.server.ts";

/** When a signature was given and taken back, by its number. */
export type WithdrawnConsents = ReadonlyMap<number, { signedAt: Date; withdrawnAt: Date }>;

/** Takes back again, after a backup was restored, what a family had taken back after it was made. Returns how many. */
export async function withdrawConsentsAgain(
  transaction: Transaction,
  userId: number,
  withdrawn: WithdrawnConsents,
): Promise<number> {
  let total = 0;
  for (const [id, { signedAt, withdrawnAt }] of withdrawn) {
    // A signature that was given after the restore of an older backup can have the same number.
    const where = { id, userId, signedAt, withdrawnAt: null };
    total += (await transaction.consent.updateMany({ where, data: { withdrawnAt } })).count;
  }
  return total;
}
