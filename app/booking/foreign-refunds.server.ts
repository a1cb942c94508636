import { now } from "../clock.ts";
import { db, inTransaction, isUniqueViolation } from "../db.server.ts";
import type { Gateway, ProviderRefund } from "../payments/gateway.ts";
import { providerDeadline } from "../payments/gateway.server.ts";
import { findPayment, leaseEnd, type Payment } from "./payments.server.ts";
import { findRefund, lockAppointment, markAppointment, REFUND, sendRefund } from "./refunds.server.ts";

const REASON = "Made in the card provider's own dashboard";

/**
 * Copies a refund that was made at the provider itself into our own ledger, by what the provider answers about it.
 * False when that can't be known just now: the event should come again. What is not about a payment of ours, or
 * failed there, is nothing to copy.
 */
export async function copyRefund(gateway: Gateway, refundId: string): Promise<boolean> {
  const answer = await gateway.findRefund(refundId, providerDeadline());
  if (!answer.ok) return answer.kind === "declined";
  const found = answer.value;
  const payment = found?.paymentId ? await findPayment({ providerPaymentId: found.paymentId }) : null;
  if (!found || found.status === "failed" || payment?.provider !== gateway.name || payment.state !== "paid")
    return true;
  // One of our own may be there already, and we have not heard its name yet.
  if (!(await nameOwnRefunds(payment))) return false;
  return (await findRefund({ providerRefundId: refundId })) ? true : writeDown(payment, found);
}

async function nameOwnRefunds({ id }: Payment): Promise<boolean> {
  const where = { paymentId: id, state: "asked", providerRefundId: null };
  for (const refund of await db.refund.findMany({ where, select: REFUND })) await sendRefund(refund);
  return (await db.refund.count({ where })) === 0;
}

async function writeDown(payment: Payment, { id, status, amountCents }: ProviderRefund): Promise<boolean> {
  const left = { lte: payment.amountCents - amountCents };
  try {
    return await inTransaction(async (transaction) => {
      await lockAppointment(transaction, payment.appointmentId);
      const { count } = await transaction.payment.updateMany({
        where: { id: payment.id, state: "paid", refundedCents: left },
        data: { refundedCents: { increment: amountCents }, updatedAt: now() },
      });
      if (count === 0) return false;
      const row = { paymentId: payment.id, key: `provider-${id}`, providerRefundId: id, amountCents, reason: REASON };
      await transaction.refund.create({
        data: { ...row, state: status, leaseEndsAt: leaseEnd(), createdAt: now() },
        select: { id: true },
      });
      await markAppointment(transaction, payment.appointmentId);
      return true;
    });
  } catch (error) {
    // The same event at the same moment: the other one wrote it down.
    if (isUniqueViolation(error)) return true;
    throw error;
  }
}
