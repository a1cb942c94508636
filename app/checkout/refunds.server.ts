import { randomUUID } from "node:crypto";
import { now } from "../clock.ts";
import { db, inTransaction, type Transaction } from "../db/client.server.ts";
import type { ProviderRefund } from "../payments/gateway.ts";
import { getGateway, providerDeadline } from "../payments/gateway.server.ts";
import { leaseExpiry } from "./payments.server.ts";

const HOUR_MS = 3_600_000;

export const REFUND_COLUMNS = {
  id: true,
  key: true,
  amountCents: true,
  state: true,
  providerRefundId: true,
  payment: { select: { id: true, appointmentId: true, provider: true, providerPaymentId: true } },
} as const;

/** Money on its way back; amounts are cents. */
export type Refund = NonNullable<Awaited<ReturnType<typeof findRefund>>>;

export function findRefund(lookup: { id: number } | { providerRefundId: string }) {
  return db.refund.findUnique({ where: lookup, select: REFUND_COLUMNS });
}

/** Refunds that the provider has not confirmed and that nobody is at work on. */
export function findClaimableRefunds(provider: string) {
  return db.refund.findMany({
    where: { state: { in: ["asked", "accepted"] }, leaseEndsAt: { lte: now() }, payment: { provider } },
    orderBy: { leaseEndsAt: "asc" },
    select: REFUND_COLUMNS,
  });
}

type NewRefund = { amountCents: number; reason: string; decidedById?: number | null; key?: string };

/**
 * Writes a refund down, with our own key, before the provider is asked. Null when it is more than what is left of the
 * payment, however many ask at once: the sum of all refunds is counted in the payment's own row.
 */
export async function createRefund(
  transaction: Transaction,
  payment: { id: number; amountCents: number },
  { amountCents, reason, decidedById = null, key = randomUUID() }: NewRefund,
): Promise<Refund | null> {
  const { count } = await transaction.payment.updateMany({
    where: { id: payment.id, state: "paid", refundedCents: { lte: payment.amountCents - amountCents } },
    data: { refundedCents: { increment: amountCents }, updatedAt: now() },
  });
  if (count === 0) return null;
  const row = { paymentId: payment.id, key, amountCents, reason, decidedById, state: "asked" };
  return transaction.refund.create({
    data: { ...row, leaseEndsAt: leaseExpiry(), createdAt: now() },
    select: REFUND_COLUMNS,
  });
}

/**
 * Asks the provider for a refund that is written down, or what became of it; true once it is on its way. Repeating is
 * harmless: one key is one refund. Money taken in person was given back in person.
 */
export async function submitRefund(refund: Refund, deadline = providerDeadline()): Promise<boolean> {
  const { payment, key, amountCents } = refund;
  if (payment.provider === null) return applyRefundResult(refund, { id: null, status: "done" });
  const gateway = await getGateway();
  if (gateway?.name !== payment.provider) return false;
  const result = refund.providerRefundId
    ? await gateway.findRefund(refund.providerRefundId, deadline)
    : await gateway.refund({ key, paymentId: payment.providerPaymentId ?? "", amountCents }, deadline);
  if (result.ok) return result.value !== null && applyRefundResult(refund, result.value);
  if (result.kind === "declined") await applyRefundResult(refund, { id: null, status: "failed" });
  return false;
}

/** False when the refund has failed: its amount can be asked for again. */
async function applyRefundResult(
  refund: Refund,
  found: { id: string | null; status: ProviderRefund["status"] },
): Promise<boolean> {
  const isFailed = found.status === "failed";
  const { appointmentId } = refund.payment;
  await inTransaction(async (transaction) => {
    await lockAppointment(transaction, appointmentId);
    const { count } = await transaction.refund.updateMany({
      where: { id: refund.id, state: { in: ["asked", "accepted"] } },
      data: {
        state: found.status,
        providerRefundId: found.id ?? refund.providerRefundId,
        leaseEndsAt: new Date(now().getTime() + HOUR_MS),
        updatedAt: now(),
      },
    });
    if (count === 0) return;
    if (isFailed) {
      const data = { refundedCents: { decrement: refund.amountCents } };
      await transaction.payment.updateMany({ where: { id: refund.payment.id }, data });
    }
    await updatePaymentStatus(transaction, appointmentId);
  });
  return !isFailed;
}

/** First of all, as everybody does who changes an appointment and its money. */
export async function lockAppointment(transaction: Transaction, appointmentId: number | null): Promise<void> {
  await transaction.appointment.updateMany({ where: { id: appointmentId ?? 0 }, data: { updatedAt: now() } });
}

/** The appointment says what the sum of its money says. */
export async function updatePaymentStatus(transaction: Transaction, appointmentId: number | null): Promise<void> {
  if (appointmentId === null) return;
  const { _sum } = await transaction.payment.aggregate({
    where: { appointmentId, state: "paid" },
    _sum: { amountCents: true, refundedCents: true },
  });
  const paidCents = _sum.amountCents ?? 0;
  const refundedCents = _sum.refundedCents ?? 0;
  const paymentStatus = refundedCents === 0 ? "paid" : refundedCents < paidCents ? "partly-refunded" : "refunded";
  await transaction.appointment.updateMany({ where: { id: appointmentId }, data: { paymentStatus } });
}
