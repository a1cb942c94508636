import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { now } from "../clock.ts";
import { MINUTE_MS } from "../time-units.ts";
import { DELIVERY_LEASE_MS } from "./delivery-timeouts.ts";

const RETRY_DELAYS_MINUTES = [1, 2, 5, 15, 30, 60, 120, 240];
/** Maximum delay between retries while the mail server is unreachable, or a message is about to expire. */
const MAX_URGENT_RETRY_DELAY_MS = 15 * MINUTE_MS;
/** Maximum delay between retries while a newer message about the same visit waits for this one. */
export const MAX_RETRY_DELAY_BEFORE_NEWER_MS = 5 * MINUTE_MS;

/**
 * First character of a failure that concerns one recipient: failures begin with the status code. Failures of the server
 * begin with their step ("AUTH 535").
 */
const RECIPIENT_FAILURE_PREFIXES = ["4", "5"];

type FailedAttempt = {
  /** Number of attempts, including this one. */
  attempts: number;
  /** See `mailFailureCode`. */
  failure: string;
  /** When the message is given up (UTC). */
  lastAttemptAt: Date;
  hasNewer: boolean;
};

/** Returns when an attempt that begins now counts as failed (UTC). */
export function newDeliveryLeaseExpiry(): Date {
  return new Date(now().getTime() + DELIVERY_LEASE_MS);
}

/**
 * Prisma filter for messages that a process is sending. A message that was dropped during the attempt may still arrive,
 * so it is included until its attempt or its lease ends (`isNextForRecipientSql` has the same condition in SQL).
 */
export function attemptInProgressCondition() {
  return { attempts: { gt: 0 }, failure: null, nextAttemptAt: { gt: now() } };
}

/**
 * Returns when the next attempt follows a failed one (UTC), or null if there is no time for one before the message is
 * given up.
 */
export function nextAttemptTime({ attempts, failure, lastAttemptAt, hasNewer }: FailedAttempt): Date | null {
  const remainingMs = lastAttemptAt.getTime() - now().getTime();
  if (remainingMs < MINUTE_MS) return null;
  const minutes = RETRY_DELAYS_MINUTES[Math.min(attempts, RETRY_DELAYS_MINUTES.length) - 1] ?? 1;
  const candidateDelaysMs = [minutes * MINUTE_MS];
  if (isServerFailure(failure)) candidateDelaysMs.push(MAX_URGENT_RETRY_DELAY_MS);
  if (hasNewer) candidateDelaysMs.push(MAX_RETRY_DELAY_BEFORE_NEWER_MS);
  if (minutes * MINUTE_MS > remainingMs / 2)
    candidateDelaysMs.push(MAX_URGENT_RETRY_DELAY_MS, Math.max(MINUTE_MS, remainingMs / 2));
  return new Date(now().getTime() + Math.min(...candidateDelaysMs));
}

/**
 * Makes the messages that failed because of the mail server due now, because it accepts mail again or its settings have
 * changed. Makes all of them due, so that they are sent in order.
 */
export async function rescheduleMessagesAfterOutage(client: Prisma.TransactionClient): Promise<void> {
  const NOT = RECIPIENT_FAILURE_PREFIXES.map((code) => ({ failure: { startsWith: code } }));
  await makeFailedMessagesDueNow(client, { NOT }, { unlessDueWithinMs: 0 });
}

/** Checks whether a failure is caused by the mail server and therefore affects all recipients. */
function isServerFailure(failure: string): boolean {
  return !RECIPIENT_FAILURE_PREFIXES.some((code) => failure.startsWith(code));
}

/**
 * Makes failed messages due now, except those due within `unlessDueWithinMs`. While an attempt is in progress, a
 * message has no failure and is not changed.
 */
export async function makeFailedMessagesDueNow(
  client: Prisma.TransactionClient,
  messageCondition: object,
  { unlessDueWithinMs = 2 * MINUTE_MS }: { unlessDueWithinMs?: number } = {},
): Promise<void> {
  const nextAttemptAt = { gt: new Date(now().getTime() + unlessDueWithinMs) };
  await client.message.updateMany({
    where: { state: "pending", failure: { not: null }, nextAttemptAt, ...messageCondition },
    data: { nextAttemptAt: now() },
  });
}
