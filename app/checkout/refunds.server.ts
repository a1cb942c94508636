import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { randomUUID } from "node:crypto";
import { HOUR_MS } from "../time-units.ts";
import { now } from "../clock.ts";
import { db, inTransaction, type Transaction } from "../db/database-client.server.ts";
import type { ProviderRefund } from "../payments/payment-gateway.ts";
import { getPaymentGateway, createProviderDeadline } from "../payments/payment-gateway.server.ts";
import { newLeaseExpiry, LEASE_BATCH_SIZE } from "./payment-lease.server.ts";

export const REFUND_SELECT = {
  id: true,
  key: true,
  amountCents: true,
  state: true,
  providerRefundId: true,
  payment: { select: { id: true, userId: true, appointmentId: true, provider: true, providerPaymentId: true } },
} as const;

/** A refund; amounts are US cents. */
export type Refund = NonNullable<Awaited<ReturnType<typeof findRefund>>>;

export function findRefund(lookup: { id: number } | { providerRefundId: string }) {
  return db.refund.findUnique({ where: lookup, select: REFUND_SELECT });
}

/** Finds at most 500 refunds that the provider has not confirmed and whose lease has ended. */
export function findLeasableRefunds(provider: string) {
  return db.refund.findMany({
    where: { state: { in: ["asked", "accepted"] }, leaseEndsAt: { lte: now() }, payment: { provider } },
    orderBy: { leaseEndsAt: "asc" },
    take: LEASE_BATCH_SIZE,
    select: REFUND_SELECT,
  });
}

type NewRefund = { amountCents: number; reason: string; decidedById?: number | null; key?: string };

/**
 * Inserts a refund with our own key before the provider is called. Returns null when it exceeds the remaining amount of
 * the payment, also under concurrency: the payment's row contains the sum of all refunds.
 */
export async function insertRefundRequest(
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
  const refund = await transaction.refund.create({
    data: { ...row, leaseEndsAt: newLeaseExpiry(), createdAt: now() },
    select: REFUND_SELECT,
  });
  recordAuditInTransaction(transaction, {
    action: "refund-asked",
    familyId: refund.payment.userId,
    objectId: payment.id,
  });
  return refund;
}

/**
 * Submits a recorded refund to the provider, or refreshes its status. Returns true once the provider has accepted it.
 * Idempotent by key. A refund of an in-person payment is done immediately, because the money was handed over.
 */
export async function submitOrRefreshRefund(refund: Refund, deadline = createProviderDeadline()): Promise<boolean> {
  const { payment, key, amountCents } = refund;
  if (payment.provider === null) return applyRefundResult(refund, { id: null, status: "done" });
  const gateway = await getPaymentGateway();
  if (gateway?.name !== payment.provider) return false;
  const result = refund.providerRefundId
    ? await gateway.findRefund(refund.providerRefundId, deadline)
    : await gateway.refund({ key, paymentId: payment.providerPaymentId ?? "", amountCents }, deadline);
  if (result.ok) return result.value !== null && applyRefundResult(refund, result.value);
  if (result.kind === "declined") await applyRefundResult(refund, { id: null, status: "failed" });
  return false;
}

/**
 * Applies the provider's status to a refund. Returns false when the refund has failed; its amount is then available
 * again.
 */
async function applyRefundResult(
  refund: Refund,
  found: { id: string | null; status: ProviderRefund["status"] },
): Promise<boolean> {
  const isFailed = found.status === "failed";
  const { appointmentId } = refund.payment;
  await inTransaction(async (transaction) => {
    await lockAppointmentRow(transaction, appointmentId);
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
    const action = isFailed ? "refund-failed" : found.status === "done" ? "refund-made" : null;
    const { id: objectId, userId: familyId } = refund.payment;
    if (action) recordAuditInTransaction(transaction, { action, familyId, objectId });
    if (isFailed) {
      const data = { refundedCents: { decrement: refund.amountCents } };
      await transaction.payment.updateMany({ where: { id: refund.payment.id }, data });
    }
    await updateAppointmentPaymentStatus(transaction, appointmentId);
  });
  return !isFailed;
}

/**
 * Locks the appointment's row. Must precede changes of its payments, so that all code uses the same lock order. Changes
 * nothing: `updatedAt` of a canceled visit is the time of its cancellation.
 */
export async function lockAppointmentRow(transaction: Transaction, appointmentId: number | null): Promise<void> {
  await transaction.$executeRaw`UPDATE "appointments" SET "updatedAt" = "updatedAt" WHERE "id" = ${appointmentId ?? 0}`;
}

/** Derives the appointment's payment status from the sums of its payments and refunds. */
export async function updateAppointmentPaymentStatus(
  transaction: Transaction,
  appointmentId: number | null,
): Promise<void> {
  if (appointmentId === null) return;
  const { _sum } = await transaction.payment.aggregate({
    where: { appointmentId, state: "paid" },
    _sum: { amountCents: true, refundedCents: true },
  });
  const paidCents = _sum.amountCents ?? 0;
  const refundedCents = _sum.refundedCents ?? 0;
  const paymentStatus = refundedCents === 0 ? "paid" : refundedCents < paidCents ? "partly-refunded" : "refunded";
  const visit = await transaction.appointment.findUnique({
    where: { id: appointmentId },
    select: { status: true, updatedAt: true },
  });
  const canceledAt = visit?.status === "cancelled" ? { updatedAt: visit.updatedAt } : {};
  await transaction.appointment.updateMany({ where: { id: appointmentId }, data: { paymentStatus, ...canceledAt } });
}
