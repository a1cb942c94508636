import { now } from "../clock.ts";
import { db, inTransaction, isUniqueViolation } from "../db/client.server.ts";
import type { Gateway, ProviderRefund } from "../payments/gateway.ts";
import { providerDeadline } from "../payments/gateway.server.ts";
import { findPayment, leaseExpiry, type Payment } from "./payments.server.ts";
import { findRefund, lockAppointment, updatePaymentStatus, REFUND_COLUMNS, submitRefund } from "./refunds.server.ts";

const EXTERNAL_REFUND_REASON = "Made in the card provider's own dashboard";

/**
 * Copies a refund that was made at the provider itself into our own ledger, by what the provider answers about it.
 * False when that can't be known just now: the event should come again. What is not about a payment of ours, or
 * failed there, is nothing to copy.
 */
export async function importRefund(gateway: Gateway, refundId: string): Promise<boolean> {
  const result = await gateway.findRefund(refundId, providerDeadline());
  if (!result.ok) return result.kind === "declined";
  const found = result.value;
  const payment = found?.paymentId ? await findPayment({ providerPaymentId: found.paymentId }) : null;
  if (!found || found.status === "failed" || payment?.provider !== gateway.name || payment.state !== "paid")
    return true;
  // One of our own may be there already, and we have not heard its name yet.
  if (!(await linkOwnRefunds(payment))) return false;
  return (await findRefund({ providerRefundId: refundId })) ? true : recordRefund(payment, found);
}

async function linkOwnRefunds({ id }: Payment): Promise<boolean> {
  const where = { paymentId: id, state: "asked", providerRefundId: null };
  for (const refund of await db.refund.findMany({ where, select: REFUND_COLUMNS })) await submitRefund(refund);
  return (await db.refund.count({ where })) === 0;
}

async function recordRefund(payment: Payment, { id, status, amountCents }: ProviderRefund): Promise<boolean> {
  const maxRefunded = { lte: payment.amountCents - amountCents };
  try {
    return await inTransaction(async (transaction) => {
      await lockAppointment(transaction, payment.appointmentId);
      const { count } = await transaction.payment.updateMany({
        where: { id: payment.id, state: "paid", refundedCents: maxRefunded },
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
        data: { ...row, state: status, leaseEndsAt: leaseExpiry(), createdAt: now() },
        select: { id: true },
      });
      await updatePaymentStatus(transaction, payment.appointmentId);
      return true;
    });
  } catch (error) {
    // The same event at the same moment: the other one wrote it down.
    if (isUniqueViolation(error)) return true;
    throw error;
  }
}
