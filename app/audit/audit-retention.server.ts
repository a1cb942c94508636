import { now } from "../clock.ts";
import { db, inTransaction } from "../db/database-client.server.ts";
import { DAY_MS, HOUR_MS } from "../time-units.ts";
import { env } from "../env.server.ts";
import type { PeriodicJob } from "../periodic-job.ts";
import { signHeadUnlessInvalid } from "./audit-chain.server.ts";
import { lockAndReadHead, replaceHeadIfUnchanged, invalidateHeadIfReplaced } from "./audit-chain-head.server.ts";
import { recordAuditInTransaction } from "./record-audit.server.ts";

/** Maximum entries per transaction. On SQLite, all other writers wait during the transaction. */
const BATCH_SIZE = 1_000;

/**
 * Deletes the entries that are older than AUDIT_YEARS. The signed head then begins after them with the hash of the last
 * deleted entry, so that the remaining entries can still be verified. Returns how many were deleted.
 */
export async function deleteExpiredAuditEntries(): Promise<number> {
  const expiresBefore = new Date(now());
  expiresBefore.setUTCFullYear(expiresBefore.getUTCFullYear() - env.auditRetentionYears);
  let deleted = 0;
  for (;;) {
    const count = await deleteBatch(expiresBefore);
    deleted += count;
    if (count < BATCH_SIZE) return deleted;
  }
}

async function deleteBatch(expiresBefore: Date): Promise<number> {
  const oldest = await db.auditEntry.findMany({
    orderBy: { sequence: "asc" },
    take: BATCH_SIZE,
    select: { sequence: true, at: true, hash: true },
  });
  // Stops at the first entry that is kept: the clocks of two processes may differ, and the chain must not have gaps.
  const firstRetainedIndex = oldest.findIndex(({ at }) => at >= expiresBefore);
  const expired = firstRetainedIndex === -1 ? oldest : oldest.slice(0, firstRetainedIndex);
  const last = expired.at(-1);
  if (!last) return 0;
  return inTransaction(async (transaction) => {
    const stored = await lockAndReadHead(transaction);
    if (stored.firstSequence > last.sequence || stored.lastSequence < last.sequence) return 0;
    const checked = await invalidateHeadIfReplaced(transaction, stored);
    const head = signHeadUnlessInvalid({ ...checked, firstSequence: last.sequence + 1, baseHash: last.hash });
    await replaceHeadIfUnchanged(transaction, stored, head);
    const { count } = await transaction.auditEntry.deleteMany({ where: { sequence: { lte: last.sequence } } });
    recordAuditInTransaction(transaction, { action: "audit-expired", actorId: null });
    return count;
  });
}

export const auditRetentionJob: PeriodicJob = {
  name: "removing expired entries of the audit trail",
  intervalMs: DAY_MS,
  delayMs: HOUR_MS,
  run: async () => void (await deleteExpiredAuditEntries()),
};
