import { now } from "../clock.ts";
import type { Transaction } from "../db/client.server.ts";
import { MINUTE_MS } from "../duration.ts";

/** After this time an attempt counts as lost with its process, and the next one begins. */
const LEASE_MS = 2 * MINUTE_MS;
const RETRY_MINUTES = [1, 2, 5, 15, 30, 60, 120, 240];
/** A mail server that is away is asked again at least so often. */
const UNREACHABLE_RETRY_MINUTES = 15;

/** When an attempt that begins now counts as lost. */
export function endOfLease(): Date {
  return new Date(now().getTime() + LEASE_MS);
}

/** When the next attempt follows the `attempts`-th one, which failed with this code (see `failureCode`). */
export function nextAttemptTime(attempts: number, failure: string): Date {
  const minutes = RETRY_MINUTES[Math.min(attempts, RETRY_MINUTES.length) - 1] ?? 1;
  const waitMinutes = isUnreachable(failure) ? Math.min(minutes, UNREACHABLE_RETRY_MINUTES) : minutes;
  return new Date(now().getTime() + waitMinutes * MINUTE_MS);
}

/** Makes the earlier messages about a visit due: a newer one waits for them, because they are mailed in their order. */
export async function retryMessagesAbout(transaction: Transaction, appointmentId: number): Promise<void> {
  await makeDue(transaction, { appointmentId });
}

/** Makes the messages due that failed while the mail server was away: it takes mail again. */
export async function retryAfterOutage(transaction: Transaction): Promise<void> {
  await makeDue(transaction, { OR: [{ failure: { startsWith: "E" } }, { failure: "421" }] });
}

/** Whether a failure is of the mail server for all recipients: it can't be reached, or is closing (421). */
function isUnreachable(failure: string): boolean {
  return failure.startsWith("E") || failure === "421";
}

/** Leaves what is due within two minutes: that attempt may be in progress. */
async function makeDue(transaction: Transaction, which: object): Promise<void> {
  await transaction.message.updateMany({
    where: { ...which, state: "pending", attempts: { gt: 0 }, nextAttemptAt: { gt: endOfLease() } },
    data: { nextAttemptAt: now() },
  });
}
