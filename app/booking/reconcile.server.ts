import { now } from "../clock.ts";
import { db } from "../db.server.ts";
import { env } from "../env.server.ts";
import { logError } from "../http/failure.server.ts";
import type { Gateway } from "../payments/gateway.ts";
import { findGateway, providerDeadline } from "../payments/gateway.server.ts";
import { changePayment, duePayments, leaseEnd, type Payment, UNFINISHED } from "./payments.server.ts";
import { dueRefunds, type Refund, sendRefund } from "./refunds.server.ts";
import { settle } from "./settle.server.ts";

const MINUTE = 60_000;
/** Somebody else's lease may end at any moment; sooner than this we don't look. */
const SOONEST_MS = 2_000;
const AT_ONCE = 8;
/** A silent provider must not hold up the end of the process; the next start goes on where this one stopped. */
const LAST_WAIT_MS = 3_000;

/** Unfinished, and not merely waiting for a family. */
export const IN_PROGRESS = UNFINISHED.filter((state) => state !== "waiting");

const underWay = new Set<Promise<void>>();
let failsSince: Date | null = null;

/** Since when no round of this process came to its end; null while they do. */
export function reconcilingFailsSince(): Date | null {
  return failsSince;
}

/** Goes on with a payment whose request has been answered; the reconciler would, too, a little later. */
export function settleSoon(gateway: Gateway, payment: Payment): void {
  const work = settle(gateway, payment, providerDeadline())
    .catch((error: unknown) => logError(error, `payment ${payment.id}`))
    .finally(() => underWay.delete(work));
  underWay.add(work);
}

/** Brings every payment and refund that nobody is at work on as far as it can be brought just now (decisions §5.7). */
export async function reconcile(): Promise<void> {
  const gateway = await findGateway();
  if (!gateway) return;
  const payments = await duePayments(gateway.name);
  await inTurns(payments, async (payment) => {
    const claimed = { ...payment, leaseEndsAt: leaseEnd(), version: payment.version + 1 };
    if (await changePayment(db, payment, { leaseEndsAt: claimed.leaseEndsAt })) {
      await settle(gateway, claimed, providerDeadline());
    }
  });
  await inTurns(await dueRefunds(gateway.name), async (refund) => {
    if (await claimRefund(refund)) await sendRefund(refund);
  });
}

/**
 * Reconciles now, every minute, and when the lease of something in flight ends, so that whatever died is settled
 * within a minute of its death. Never keeps the process alive; `stop` waits for what is under way.
 */
export function keepReconciling(): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running = endLeasesOfTheDead(now())
    .catch((error: unknown) => logError(error, "taking over payments"))
    .then(round);

  async function round(): Promise<void> {
    let pause = MINUTE;
    try {
      await reconcile();
      pause = await untilNextLease();
      failsSince = null;
    } catch (error) {
      failsSince ??= now();
      logError(error, "reconciling payments");
    }
    if (!isStopped) timer = setTimeout(() => (running = round()), pause).unref();
  }

  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      const patience = new Promise((resolve) => setTimeout(resolve, LAST_WAIT_MS).unref());
      await Promise.race([Promise.all([running, ...underWay]), patience]);
    },
  };
}

/** A SQLite file has one process: whoever was at work on a payment when this one starts is gone. */
async function endLeasesOfTheDead(start: Date): Promise<void> {
  if (!env.databaseUrl.startsWith("file:")) return;
  const where = { state: { in: IN_PROGRESS }, leaseEndsAt: { gt: start }, createdAt: { lt: start } };
  await db.payment.updateMany({ where, data: { leaseEndsAt: start } });
}

async function untilNextLease(): Promise<number> {
  const next = await db.payment.findFirst({
    where: { state: { in: IN_PROGRESS } },
    orderBy: { leaseEndsAt: "asc" },
    select: { leaseEndsAt: true },
  });
  const left = next ? next.leaseEndsAt.getTime() - now().getTime() : MINUTE;
  return Math.min(MINUTE, Math.max(SOONEST_MS, left));
}

async function claimRefund({ id }: Refund): Promise<boolean> {
  const where = { id, leaseEndsAt: { lte: now() } };
  const { count } = await db.refund.updateMany({ where, data: { leaseEndsAt: leaseEnd() } });
  return count === 1;
}

/** A few at once; one that fails is written down and left for the next round. */
async function inTurns<T extends { id: number }>(all: T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const worker = async () => {
    for (const one of left) {
      await work(one).catch((error: unknown) => logError(error, `settling ${one.id}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
