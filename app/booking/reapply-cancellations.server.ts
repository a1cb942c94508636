import type { Transaction } from "../db/database-client.server.ts";
import type { ReplacedDatabase } from "../db/replaced-database.ts";
import { FINAL_STATUSES } from "./appointment-status.ts";

/** Who canceled each visit, keyed by the visit's id; null where that was not recorded. */
export type CanceledVisitActors = ReadonlyMap<number, string | null>;

/**
 * Returns the canceled visits of closed accounts, and accounts about to be erased, from the database being replaced,
 * keyed by family.
 */
export async function readCanceledVisits({ readRows }: ReplacedDatabase): Promise<Map<number, CanceledVisitActors>> {
  const rows =
    await readRows(`SELECT id, "userId", "cancelledBy" FROM appointments WHERE status = 'cancelled' AND "userId" IN
    (SELECT id FROM users WHERE "closedAt" IS NOT NULL OR "eraseAfter" IS NOT NULL)`);
  const canceledVisits = new Map<number, Map<number, string | null>>();
  for (const { id, userId, cancelledBy } of rows) {
    const own = canceledVisits.get(Number(userId)) ?? new Map<number, string | null>();
    canceledVisits.set(Number(userId), own.set(Number(id), cancelledBy === null ? null : String(cancelledBy)));
  }
  return canceledVisits;
}

/**
 * Repeats, after a backup was restored, the cancellations that were made after the backup. Sends no notifications and
 * refunds nothing, because both were done the first time. Returns the number of canceled visits.
 */
export async function reapplyCancellations(
  transaction: Transaction,
  userId: number,
  canceledVisits: CanceledVisitActors,
): Promise<number> {
  let total = 0;
  for (const [id, cancelledBy] of canceledVisits) {
    const where = { id, userId, status: { notIn: FINAL_STATUSES } };
    const data = { status: "cancelled", cancelledBy, network: null, wideNetwork: null };
    total += (await transaction.appointment.updateMany({ where, data })).count;
  }
  return total;
}
