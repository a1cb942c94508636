import { notifyAccount } from "../accounts/email/notify.server.ts";
import { notifyCancelled } from "../booking/messages/visit-notifications.server.ts";
import type { Transaction } from "../db/client.server.ts";
import { env } from "../env.server.ts";
import { receiptReadyContent } from "../mail/messages/receipt-messages.ts";
import { formatDate } from "../ui/dates.ts";
import { formatCents } from "../ui/money.ts";

type PaidPayment = { id: number; userId: number | null; amountCents: number };

/** Tells the family, in the transaction that records its payment, where its receipt is. */
export function notifyPaid(transaction: Transaction, payment: PaidPayment, paidAt: Date): Promise<void> {
  const { id, userId, amountCents } = payment;
  return notifyAccount(transaction, userId, ({ firstName }) => ({
    event: "receipt",
    about: `payment ${id}`,
    content: receiptReadyContent(firstName, {
      path: `/receipts/${id}`,
      amount: formatCents(amountCents, 2),
      paidAt: formatDate(paidAt, env.practice.timeZone),
    }),
  }));
}

/** Tells the family that the visit it has just booked does not take place: the card was not charged after all. */
export function notifyCardNotCharged(transaction: Transaction, appointmentId: number): Promise<void> {
  return notifyCancelled(transaction, appointmentId, PAYMENT_FAILED_SENTENCE, "payment");
}

const PAYMENT_FAILED_SENTENCE =
  "The card payment did not go through, so the time is not booked. Whatever was taken from your card goes back to it.";
