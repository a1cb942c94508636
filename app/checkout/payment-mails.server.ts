import { fullName } from "../accounts/person.ts";
import { knownServiceTitle } from "../booking/prices/service-catalog.ts";
import { parseStoredBooking, type Payment } from "./find-payment.server.ts";
import { PAYMENT_FAILED_SENTENCE } from "./cancellation/cancellation-texts.ts";
import { paidByText } from "./payment-methods.ts";
import { dropUnsentMessagesBySubject } from "../mail/drop-messages.server.ts";
import { notifyAccount } from "../accounts/email/queue-account-message.server.ts";
import { notifyVisitCanceled } from "../booking/messages/visit-notifications.server.ts";
import type { Transaction } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import {
  abandonedPaymentRefundedContent,
  receiptReadyContent,
  receiptVoidedContent,
} from "../mail/messages/receipt-messages.ts";
import { visitNotBookedContent } from "../mail/messages/visit-messages.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import { formatDate } from "../ui/format-date-time.ts";
import { formatCents } from "../ui/format-currency.ts";

/** Sends the family a link to its receipt, in the transaction that records the payment. */
export async function mailReceiptReady(transaction: Transaction, id: number, paidAt: Date): Promise<void> {
  const payment = await transaction.payment.findUniqueOrThrow({ where: { id }, select: RECEIPT_MAIL_SELECT });
  const { userId, amountCents, method, user } = payment;
  const paidFor = paidForLines(payment);
  await notifyAccount(transaction, userId, ({ firstName, isConfirmed }) => ({
    event: "receipt",
    subjectKey: receiptSubjectKey(id),
    content: receiptReadyContent(firstName, {
      path: `/receipts/${id}`,
      // An unconfirmed address may belong to another person, who must see neither the name nor the service.
      paidFor: isConfirmed ? paidFor.join(", ") : (paidFor.at(-1) ?? ""),
      paidBy: paidByText(isConfirmed && user ? fullName(user) : null, method),
      amount: formatCents(amountCents, 2),
      paidAt: formatDate(paidAt, env.practice.timeZone),
    }),
  }));
}

/**
 * Notifies the family that its receipt is not valid, in the transaction that voids the payment. Drops the receipt's
 * message if it is not sent yet.
 */
export async function mailReceiptVoided(transaction: Transaction, id: number): Promise<void> {
  const payment = await transaction.payment.findUniqueOrThrow({ where: { id }, select: RECEIPT_MAIL_SELECT });
  const paidFor = paidForLines(payment);
  if (payment.userId !== null)
    await dropUnsentMessagesBySubject(transaction, payment.userId, "receipt", [receiptSubjectKey(id)]);
  await notifyAccount(transaction, payment.userId, ({ firstName, isConfirmed }) => ({
    event: "receipt",
    subjectKey: `voided payment ${id}`,
    content: receiptVoidedContent(firstName, {
      paidFor: isConfirmed ? paidFor.join(", ") : (paidFor.at(-1) ?? ""),
      amount: formatCents(payment.amountCents, 2),
    }),
  }));
}

function receiptSubjectKey(id: number): string {
  return `payment ${id}`;
}

const RECEIPT_MAIL_SELECT = {
  userId: true,
  amountCents: true,
  method: true,
  booking: true,
  user: { select: { firstName: true, lastName: true } },
  appointment: { select: { appointmentDate: true } },
} as const;

/**
 * Returns the title of the service if it is in the practice's catalog, not an arbitrary title, and the current day of
 * the visit, which may have been moved.
 */
function paidForLines({ booking, appointment }: { booking: string; appointment: { appointmentDate: Date } | null }) {
  const booked = parseStoredBooking({ booking });
  const start = appointment?.appointmentDate ?? booked?.appointmentDate;
  const service = booked && knownServiceTitle(booked.title);
  return [service ?? "Visit", ...(start ? [formatDate(start, env.practice.timeZone)] : [])];
}

/**
 * Notifies a family that left the provider's page that its visit is not booked: the page closed without a payment, or
 * the payment is refunded (`isRefunded`) because the time was taken. Sends nothing if the family has since booked or
 * started another payment, because that sends its own messages.
 */
export async function mailVisitNotBooked(
  transaction: Transaction,
  { id, userId, booking, amountCents, createdAt }: Payment,
  { isRefunded }: { isRefunded: boolean },
): Promise<void> {
  const start = parseStoredBooking({ booking })?.appointmentDate;
  if (!start || userId === null) return;
  const isReplaced =
    !isRefunded &&
    ((await transaction.appointment.count({
      where: { userId, createdAt: { gte: createdAt }, status: { not: "cancelled" } },
    })) > 0 ||
      (await transaction.payment.count({ where: { userId, id: { gt: id } } })) > 0);
  if (isReplaced) return;
  const when = formatPracticeDateTime(start);
  await notifyAccount(transaction, userId, ({ firstName }) => ({
    event: "visit-not-booked",
    subjectKey: `payment ${id}`,
    content: visitNotBookedContent(firstName, { when, amount: isRefunded ? formatCents(amountCents) : null }),
  }));
}

/**
 * Notifies a family that its payment is refunded in full, because it paid on a page that it had replaced by another
 * booking or payment.
 */
export async function mailReplacedPaymentRefunded(
  transaction: Transaction,
  { id, userId, booking, amountCents }: Payment,
): Promise<void> {
  const start = parseStoredBooking({ booking })?.appointmentDate;
  if (!start) return;
  const when = formatPracticeDateTime(start);
  await notifyAccount(transaction, userId, ({ firstName }) => ({
    event: "payment-returned",
    subjectKey: `payment ${id}`,
    content: abandonedPaymentRefundedContent(firstName, { when, amount: formatCents(amountCents) }),
  }));
}

/** Notifies the family that the visit it has just booked is canceled, because the card was not charged after all. */
export function mailCardNotCharged(transaction: Transaction, appointmentId: number): Promise<void> {
  return notifyVisitCanceled(transaction, appointmentId, PAYMENT_FAILED_SENTENCE, "payment");
}
