import type { Transaction } from "../db/client.server.ts";
import { FINAL_STATUSES } from "./appointment-status.ts";

/** Who canceled a visit, by its number; null where that was not recorded. */
export type CancelledVisits = ReadonlyMap<number, string | null>;

/**
 * Cancels again, after a backup was restored, what was canceled after it was made. Nobody is told and nothing is refunded:
 * that was done the first time. Returns how many.
 */
export async function cancelVisitsAgain(
  transaction: Transaction,
  userId: number,
  cancelled: CancelledVisits,
): Promise<number> {
  let total = 0;
  for (const [id, cancelledBy] of cancelled) {
    const where = { id, userId, status: { notIn: FINAL_STATUSES } };
    const data = { status: "cancelled", cancelledBy, network: null, wideNetwork: null };
    total += (await transaction.appointment.updateMany({ where, data })).count;
  }
  return total;
}
