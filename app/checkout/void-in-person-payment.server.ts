import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { now } from "../clock.ts";
import type { Transaction } from "../db/database-client.server.ts";
import { IN_PERSON_METHODS } from "./payment-methods.ts";

/**
 * paid → voided, of a payment that was recorded by mistake as taken in person and of which nothing was refunded, within
 * the transaction that changes the appointment. Returns false for any other payment.
 */
export async function voidInPersonPayment(transaction: Transaction, id: number): Promise<boolean> {
  const { count } = await transaction.payment.updateMany({
    where: { id, state: "paid", method: { in: [...IN_PERSON_METHODS] }, provider: null, refundedCents: 0 },
    data: { state: "voided", paidAt: null, version: { increment: 1 }, updatedAt: now() },
  });
  if (count === 0) return false;
  const { userId } = await transaction.payment.findUniqueOrThrow({ where: { id }, select: { userId: true } });
  await transaction.paymentTransition.create({ data: { paymentId: id, state: "voided", at: now() } });
  recordAuditInTransaction(transaction, { action: "payment-undone", familyId: userId, objectId: id });
  return true;
}
