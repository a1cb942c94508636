import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { now } from "../clock.ts";
import { db, inTransaction } from "../db/database-client.server.ts";
import { isUniqueViolation } from "../db/database-errors.server.ts";
import type { PaymentGateway, ProviderRefund } from "../payments/payment-gateway.ts";
import { createProviderDeadline } from "../payments/payment-gateway.server.ts";
import { findPayment, type Payment } from "./find-payment.server.ts";
import { newLeaseExpiry } from "./payment-lease.server.ts";
import {
  findRefund,
  lockAppointmentRow,
  updateAppointmentPaymentStatus,
  REFUND_SELECT,
  submitOrRefreshRefund,
} from "./refunds.server.ts";

const EXTERNAL_REFUND_REASON = "Made in the card provider's own dashboard";

/**
 * Imports a refund that was created in the provider's own dashboard. Returns false when the provider can't be queried
 * now and the event should be sent again. Refunds of unknown payments and failed refunds are ignored.
 */
export async function importRefund(gateway: PaymentGateway, refundId: string): Promise<boolean> {
  const result = await gateway.findRefund(refundId, createProviderDeadline());
  if (!result.ok) return result.kind === "declined";
  const found = result.value;
  const payment = found?.paymentId ? await findPayment({ providerPaymentId: found.paymentId }) : null;
  if (!found || found.status === "failed" || payment?.provider !== gateway.name || payment.state !== "paid")
    return true;
  // It may be one of our own refunds whose provider id is not stored yet.
  if (!(await submitUnlinkedRefunds(payment))) return false;
  return (await findRefund({ providerRefundId: refundId })) ? true : recordExternalRefund(payment, found);
}

async function submitUnlinkedRefunds({ id }: Payment): Promise<boolean> {
  const where = { paymentId: id, state: "asked", providerRefundId: null };
  for (const refund of await db.refund.findMany({ where, select: REFUND_SELECT })) await submitOrRefreshRefund(refund);
  return (await db.refund.count({ where })) === 0;
}

async function recordExternalRefund(payment: Payment, { id, status, amountCents }: ProviderRefund): Promise<boolean> {
  const refundableCondition = { lte: payment.amountCents - amountCents };
  try {
    return await inTransaction(async (transaction) => {
      await lockAppointmentRow(transaction, payment.appointmentId);
      const { count } = await transaction.payment.updateMany({
        where: { id: payment.id, state: "paid", refundedCents: refundableCondition },
        data: { refundedCents: { increment: amountCents }, updatedAt: now() },
      });
      if (count === 0) return false;
      const row = {
        paymentId: payment.id,
        key: `provider-${id}`,
        providerRefundId: id,
        amountCents,
        reason: EXTERNAL_REFUND_REASON,
      };
      await transaction.refund.create({
        data: { ...row, state: status, leaseEndsAt: newLeaseExpiry(), createdAt: now() },
        select: { id: true },
      });
      await updateAppointmentPaymentStatus(transaction, payment.appointmentId);
      recordAuditInTransaction(transaction, { action: "refund-made", familyId: payment.userId, objectId: payment.id });
      return true;
    });
  } catch (error) {
    // A concurrent delivery of the same event has recorded the refund.
    if (isUniqueViolation(error)) return true;
    throw error;
  }
}
