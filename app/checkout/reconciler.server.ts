import { MINUTE_MS } from "../time-units.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import { logError } from "../http/errors.server.ts";
import { SerialQueue } from "../serial-queue.ts";
import type { PaymentGateway } from "../payments/payment-gateway.ts";
import { getPaymentGateway, createProviderDeadline } from "../payments/payment-gateway.server.ts";
import type { PeriodicJob } from "../periodic-job.ts";
import { findLeasablePayments, leasePayment, IN_PROGRESS_STATES } from "./payment-transitions.server.ts";
import type { Payment } from "./find-payment.server.ts";
import { newLeaseExpiry } from "./payment-lease.server.ts";
import { findLeasableRefunds, type Refund, submitOrRefreshRefund } from "./refunds.server.ts";
import { advancePayment } from "./advance-payment.server.ts";

/** Minimum time between two rounds, even if a lease ends earlier. */
const MIN_ROUND_INTERVAL_MS = 2_000;
const MAX_CONCURRENCY = 8;

const backgroundTasks = new Set<Promise<void>>();
/**
 * Prevents overlapping rounds: a second round would skip what the first has leased, and return before the first is
 * done.
 */
const reconcilerQueue = new SerialQueue();
let failingSince: Date | null = null;

/** Returns the instant (UTC) since which every round of this process has failed; null while rounds succeed. */
export function reconcilerFailingSince(): Date | null {
  return failingSince;
}

/** Advances a payment after the response was sent. On failure the reconciler continues later. */
export function advancePaymentInBackground(gateway: PaymentGateway, payment: Payment): void {
  const work = advancePayment(gateway, payment, createProviderDeadline())
    .catch((error: unknown) => logError(error, `payment ${payment.id}`))
    .finally(() => backgroundTasks.delete(work));
  backgroundTasks.add(work);
}

/** Resolves when all payments that are being advanced in the background are done. */
export async function waitForBackgroundPayments(): Promise<void> {
  await Promise.all(backgroundTasks);
}

/**
 * Advances every unfinished payment and refund whose lease has ended, after any earlier round of this process. Does
 * nothing when payments are turned off. Source: docs/decisions/0005.
 */
export function reconcilePayments(): Promise<void> {
  return reconcilerQueue.run(reconcilePaymentsOnce);
}

async function reconcilePaymentsOnce(): Promise<void> {
  const gateway = await getPaymentGateway();
  if (!gateway) return;
  const payments = await findLeasablePayments(gateway.name);
  await forEachConcurrently(payments, async (payment) => {
    const leased = await leasePayment(payment, newLeaseExpiry());
    if (leased) await advancePayment(gateway, leased, createProviderDeadline());
  });
  await forEachConcurrently(await findLeasableRefunds(gateway.name), async (refund) => {
    if (await leaseRefund(refund)) await submitOrRefreshRefund(refund);
  });
}

let isFirstRound = true;

/**
 * Reconciles every minute and when a lease ends, so that a payment whose worker crashed is finished within a minute. On
 * shutdown, waits for the payments that are being advanced in the background.
 */
export const reconcilerJob: PeriodicJob = {
  name: "reconciling payments",
  intervalMs: MINUTE_MS,
  run: async () => {
    if (isFirstRound) await expireOrphanedPaymentLeases(now());
    isFirstRound = false;
    try {
      await reconcilePayments();
      const delayMs = await msUntilNextLease();
      failingSince = null;
      return delayMs;
    } catch (error) {
      failingSince ??= now();
      throw error;
    }
  },
  onStop: waitForBackgroundPayments,
};

/** SQLite has a single process, so every lease from before its start is orphaned. */
async function expireOrphanedPaymentLeases(startedAt: Date): Promise<void> {
  if (!env.databaseUrl.startsWith("file:")) return;
  const where = { state: { in: IN_PROGRESS_STATES }, leaseEndsAt: { gt: startedAt }, createdAt: { lt: startedAt } };
  await db.payment
    .updateMany({ where, data: { leaseEndsAt: startedAt } })
    .catch((error: unknown) => logError(error, "taking over payments"));
}

async function msUntilNextLease(): Promise<number> {
  const next = await db.payment.findFirst({
    where: { state: { in: IN_PROGRESS_STATES } },
    orderBy: { leaseEndsAt: "asc" },
    select: { leaseEndsAt: true },
  });
  const msLeft = next ? next.leaseEndsAt.getTime() - now().getTime() : MINUTE_MS;
  return Math.min(MINUTE_MS, Math.max(MIN_ROUND_INTERVAL_MS, msLeft));
}

async function leaseRefund({ id }: Refund): Promise<boolean> {
  const where = { id, leaseEndsAt: { lte: now() } };
  const { count } = await db.refund.updateMany({ where, data: { leaseEndsAt: newLeaseExpiry() } });
  return count === 1;
}

/** Processes at most 8 items concurrently. Failures are logged; the next round retries them. */
async function forEachConcurrently<T extends { id: number }>(
  items: T[],
  run: (one: T) => Promise<void>,
): Promise<void> {
  const remaining = items.values();
  const worker = async () => {
    for (const item of remaining) {
      await run(item).catch((error: unknown) => logError(error, `reconciling ${item.id}`));
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENCY }, worker));
}
