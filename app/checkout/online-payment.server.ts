import { now } from "../clock.ts";
import { db, type Transaction } from "../db/database-client.server.ts";

const ONLINE_PAYMENT_SELECT = { id: true, amountCents: true, refundedCents: true } as const;
const onlinePaymentCondition = (appointmentId: number) => ({ appointmentId, state: "paid", provider: { not: null } });

/** Finds the online payment of an appointment, with amounts in US cents; null when nothing was paid online. */
export function findOnlinePayment(appointmentId: number) {
  return db.payment.findFirst({ where: onlinePaymentCondition(appointmentId), select: ONLINE_PAYMENT_SELECT });
}

/**
 * Finds the online payment like `findOnlinePayment` and locks its row. A concurrent refund is either included in
 * `refundedCents` or waits for the lock.
 */
export async function lockOnlinePayment(transaction: Transaction, appointmentId: number) {
  const [payment] = await transaction.payment.updateManyAndReturn({
    where: onlinePaymentCondition(appointmentId),
    data: { updatedAt: now() },
    select: ONLINE_PAYMENT_SELECT,
  });
  return payment ?? null;
}
