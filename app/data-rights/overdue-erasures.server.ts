import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { UNFINISHED_STATES } from "../checkout/payment-transitions.server.ts";
import { now } from "../clock.ts";
import { db, type Transaction } from "../db/database-client.server.ts";
import { HOUR_MS } from "../time-units.ts";
import { getPaymentGateway } from "../payments/payment-gateway.server.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import { findConfirmedEmailHistory } from "./family-data-conditions.server.ts";
import { buildOwnPaymentsCondition } from "./own-payments.server.ts";

/** An erasure may wait an hour for the mail about its canceled visits, and a minute for the next run of the job. */
const OVERDUE_AFTER_MS = 2 * HOUR_MS;
const MAX_NAMED_RECORDS = 20;

/**
 * Returns those of the payments that are in progress or have a refund in progress: the provider and the reconciler still
 * need their rows unchanged.
 */
export async function findPaymentsBlockingErasure(
  payments: Prisma.PaymentWhereInput,
  reader: Pick<Transaction, "payment"> = db,
) {
  const unfinishedCondition = { OR: [{ state: { in: UNFINISHED_STATES } }, { refunds: { some: { state: "asked" } } }] };
  return reader.payment.findMany({
    where: { AND: [payments, unfinishedCondition] },
    orderBy: { id: "asc" },
    take: MAX_NAMED_RECORDS,
    select: { id: true, provider: true },
  });
}

/**
 * Returns a warning for the administrator for each account that should have been erased two hours ago, with the reason.
 * A warning names a family by its number, because warnings are also logged.
 */
export async function overdueErasureWarnings(): Promise<string[]> {
  const overdue = await db.user.findMany({
    where: { eraseAfter: { lte: new Date(now().getTime() - OVERDUE_AFTER_MS) }, isAdmin: false },
    orderBy: { eraseAfter: "asc" },
    take: MAX_NAMED_RECORDS,
    select: { id: true, eraseAfter: true },
  });
  const warnings: string[] = [];
  for (const { id, eraseAfter } of overdue) {
    const due = eraseAfter && formatPracticeDateTime(eraseAfter);
    warnings.push(
      `An account was to be deleted on ${due}, and is not: /families/${id}. ${await describeErasureDelay(id)}`,
    );
  }
  return warnings;
}

async function describeErasureDelay(userId: number): Promise<string> {
  const unfinished = await findPaymentsBlockingErasure(
    await buildOwnPaymentsCondition(userId, await findConfirmedEmailHistory(userId)),
  );
  if (unfinished.length === 0) return "Ask the person who installed this site to look at its log.";
  const gateway = await getPaymentGateway();
  const disconnectedPayment = unfinished.find(({ provider }) => provider !== null && provider !== gateway?.name);
  const ids = unfinished.map(({ id }) => id).join(", ");
  const reason = `It waits for a payment or refund that is not settled: payment ${ids}.`;
  if (!disconnectedPayment) return `${reason} We keep asking the card provider.`;
  return `${reason} This site is not connected to ${disconnectedPayment.provider} any more, so it can’t settle it: ask the person who installed this site to connect it again (PAYMENTS) until the account is deleted.`;
}
