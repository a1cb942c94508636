import { now } from "../clock.ts";
import type { Transaction } from "../db/client.server.ts";
import { DAY_MS } from "../duration.ts";

/** How long a cancellation counts towards the limit of one family. */
export const CANCELLATION_DAYS = 7;

/**
 * Lets the family's cancellations count anew from now on: those before its password was replaced may be of somebody with a
 * copied session. At most once in seven days, so that nobody cancels without end by replacing the password.
 */
export async function restartCancellationCount(transaction: Transaction, userId: number): Promise<void> {
  const earliest = new Date(now().getTime() - CANCELLATION_DAYS * DAY_MS);
  const dueCondition = { OR: [{ cancellationsCountedFrom: null }, { cancellationsCountedFrom: { lte: earliest } }] };
  await transaction.user.updateMany({
    where: { id: userId, ...dueCondition },
    data: { cancellationsCountedFrom: now() },
  });
}
