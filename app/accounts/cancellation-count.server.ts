import { now } from "../clock.ts";
import type { Transaction } from "../db/database-client.server.ts";
import { DAY_MS } from "../time-units.ts";

/** Number of days that a cancellation counts toward the limit of one family. */
export const CANCELLATION_WINDOW_DAYS = 7;

/**
 * Restarts the count of the family's cancellations, because another person with a copied session may have made those
 * before the password was replaced. Does so at most once in seven days, so that replacing the password does not allow
 * unlimited cancellations.
 */
export async function resetCancellationCountIfDue(transaction: Transaction, userId: number): Promise<void> {
  const windowStart = new Date(now().getTime() - CANCELLATION_WINDOW_DAYS * DAY_MS);
  const dueCondition = { OR: [{ cancellationsCountedFrom: null }, { cancellationsCountedFrom: { lte: windowStart } }] };
  await transaction.user.updateMany({
    where: { id: userId, ...dueCondition },
    data: { cancellationsCountedFrom: now() },
  });
}
