import { SELF_SERVICE_DEADLINE_HOURS, selfServiceDeadline } from "../../booking/self-service-deadline.ts";
import {
  cancellationFeeCents,
  cancellationPhase,
  LATE_FEE_TEXT,
  lateFeeCents,
  type RefundablePayment,
  familyRefundCents,
  unrefundedCents,
} from "../../booking/prices/cancellation-policy.ts";
import { formatDateTime } from "../../ui/format-date-time.ts";
import { formatCents } from "../../ui/format-currency.ts";

/** Explains the consequences of canceling, apart from the money. */
export const CANCELLATION_CONSEQUENCE =
  "Your consultant will see this right away, and the time will open up for another family. This can't be undone.";
/** The wording of every email message about a refund (app/mail/messages). */
const REFUND_TIME_TEXT = "Banks take up to 10 business days.";
const NO_CHARGE_TEXT = "You haven't paid yet, so there's nothing to refund.";
const FEE_NOT_CHARGED_HERE_TEXT =
  "You haven't paid yet, and nothing is charged here. Your consultant may ask you for the fee.";
const CALL_FOR_FULL_REFUND_TEXT = "You paid in person: please call us to get your money back.";
const CALL_FOR_PARTIAL_REFUND_TEXT = "You paid in person: please call us about the rest.";
const NO_PRICE_TEXT = "There is nothing to pay for this visit.";
const NOT_PAID_ONLINE_TEXT =
  "Nothing was paid online for this visit. Did you pay another way? Please call us about it.";

export const CANCELLABLE_SELECT = { appointmentDate: true, paymentAmountCents: true, paymentStatus: true } as const;

export type CancellableAppointment = {
  appointmentDate: Date;
  paymentAmountCents: number | null;
  paymentStatus: string;
};

/** Whether the consultant has recorded a payment. Call it only for visits without an online payment. */
const isPaidInPerson = ({ paymentStatus }: CancellableAppointment) => paymentStatus === "paid";

/** The refund of an online payment, and the cancellation fee of a visit without one, in US cents. */
export type CancellationAmounts = { refundCents: number; feeCents: number };

/** The amounts that a form showed; undefined where it did not show any. */
export type ShownAmounts = { [Name in keyof CancellationAmounts]?: CancellationAmounts[Name] | undefined };

/** Whether the amounts are those that were shown. */
export function isSameAsShownAmounts(shown: ShownAmounts, { refundCents, feeCents }: CancellationAmounts): boolean {
  return (shown.refundCents ?? refundCents) === refundCents && (shown.feeCents ?? feeCents) === feeCents;
}

/** Returns the amounts that `cancellationTerms` mentions. */
export function familyCancellationAmounts(
  { appointmentDate: start, paymentAmountCents }: CancellableAppointment,
  payment: RefundablePayment | null,
  now: Date,
): CancellationAmounts {
  if (payment) return { refundCents: familyRefundCents(payment, start, now), feeCents: 0 };
  return { refundCents: 0, feeCents: cancellationFeeCents(paymentAmountCents ?? 0, start, now) };
}

/** Returns the text that tells a family the fee for canceling at `now`, or the refund of an online payment. */
export function cancellationTerms(
  appointment: CancellableAppointment,
  payment: RefundablePayment | null,
  now: Date,
  zone: string,
): string {
  return payment ? refundTerms(appointment, payment, now, zone) : feeTerms(appointment, now);
}

function refundTerms(
  { appointmentDate: start }: CancellableAppointment,
  payment: RefundablePayment,
  now: Date,
  zone: string,
): string {
  const dueCents = familyRefundCents(payment, start, now);
  const amount = formatCents(dueCents);
  const phase = cancellationPhase(start, now);
  const earlierRefundText =
    payment.refundedCents > 0 ? ` ${formatCents(payment.refundedCents)} went back to you before.` : "";
  if (phase === "started") return `The visit has started, so no refund is due.${earlierRefundText}`;
  const refundText = `goes back to the card you paid with.${earlierRefundText}`;
  if (phase === "late") {
    return `Less than ${SELF_SERVICE_DEADLINE_HOURS} hours are left, so there is a ${LATE_FEE_TEXT} fee. If you cancel now, ${amount} ${refundText}`;
  }
  const fullRefundUntil = formatDateTime(selfServiceDeadline(start), zone);
  return `Full refund until ${fullRefundUntil}, then ${LATE_FEE_TEXT}. If you cancel now, ${amount} ${refundText}`;
}

/** Returns the terms for appointments paid in person: nothing is collected or refunded online. */
function feeTerms(appointment: CancellableAppointment, now: Date): string {
  const priceCents = appointment.paymentAmountCents ?? 0;
  const isPaid = isPaidInPerson(appointment);
  const phase = cancellationPhase(appointment.appointmentDate, now);
  if (phase === "free") {
    return `Canceling is free up to ${SELF_SERVICE_DEADLINE_HOURS} hours before. ${isPaid ? CALL_FOR_FULL_REFUND_TEXT : NO_CHARGE_TEXT}`;
  }
  if (phase === "late") {
    const fee = formatCents(cancellationFeeCents(priceCents, appointment.appointmentDate, now));
    return `Your visit is in less than ${SELF_SERVICE_DEADLINE_HOURS} hours. If you cancel now, our terms ask for a ${LATE_FEE_TEXT} fee: ${fee}. ${isPaid ? CALL_FOR_PARTIAL_REFUND_TEXT : FEE_NOT_CHARGED_HERE_TEXT}`;
  }
  return `The visit has started. Our terms charge a missed visit in full: ${formatCents(priceCents)}.${isPaid ? "" : ` ${FEE_NOT_CHARGED_HERE_TEXT}`}`;
}

/** Returns the sentence about the refund that follows a cancellation. Empty when nothing was paid online. */
export function refundNoticeSuffix({
  refundCents,
  isRefundPending,
}: {
  refundCents: number | null;
  isRefundPending: boolean;
}): string {
  if (refundCents === null) return "";
  if (refundCents === 0) return ". Nothing goes back to the card.";
  const amount = formatCents(refundCents);
  return isRefundPending
    ? `. ${amount} goes back to the card as soon as the card provider answers. You don't need to do anything.`
    : `. ${amount} goes back to the card. ${REFUND_TIME_TEXT}`;
}

/** Returns the sentence about the refund of an online payment for an email message to the family. */
export function refundMailText(refundCents: number): string {
  if (refundCents === 0) return "Nothing goes back to your card.";
  return `${formatCents(refundCents)} goes back to the card you paid with. ${REFUND_TIME_TEXT}`;
}

/** Explains in an email message to the family why a visit that was just booked is canceled. */
export const PAYMENT_FAILED_SENTENCE =
  "The card payment did not go through, so the time is not booked. Whatever was taken from your card goes back to it.";

type CancellationRefund = { payment: RefundablePayment | null; refundCents: number };

/**
 * Returns the sentences about the money for an email message about a visit that the practice canceled at `now`: the
 * refund of an online payment, or what the family should do about a payment in person.
 */
export function practiceCancellationPaymentText(
  visit: CancellableAppointment,
  { payment, refundCents }: CancellationRefund,
  now: Date,
): string {
  return payment ? refundMailText(refundCents) : feelessCancellationText(visit, now);
}

/**
 * Returns the sentences about the money for a visit that its family canceled, with the fee that the family owes if it
 * did not pay online.
 */
export function familyCancellationPaymentText(
  visit: CancellableAppointment,
  { payment, refundCents }: CancellationRefund,
  now: Date,
): string {
  if (!payment) return offlineCancellationText(visit, now);
  const hasFee = refundCents < unrefundedCents(payment);
  const feeReason =
    visit.appointmentDate <= now
      ? "You canceled after the start. "
      : `You canceled less than ${SELF_SERVICE_DEADLINE_HOURS} hours before the start, so there is a ${LATE_FEE_TEXT} fee. `;
  return `${hasFee ? feeReason : ""}${refundMailText(refundCents)}`;
}

/** Returns the text for a visit without an online payment for which no fee is due. */
function feelessCancellationText(visit: CancellableAppointment, now: Date): string {
  if (!visit.paymentAmountCents) return NO_PRICE_TEXT;
  if (visit.paymentStatus === "pending") return NO_CHARGE_TEXT;
  return isPaidInPerson(visit) && visit.appointmentDate > now ? CALL_FOR_FULL_REFUND_TEXT : NOT_PAID_ONLINE_TEXT;
}

function offlineCancellationText(appointment: CancellableAppointment, now: Date): string {
  const { appointmentDate, paymentAmountCents } = appointment;
  const isPaid = isPaidInPerson(appointment);
  const phase = cancellationPhase(appointmentDate, now);
  if (!paymentAmountCents || phase === "free") return feelessCancellationText(appointment, now);
  const fee =
    phase === "late"
      ? `You canceled less than ${SELF_SERVICE_DEADLINE_HOURS} hours before the start, so our terms ask for a ${LATE_FEE_TEXT} fee: ${formatCents(lateFeeCents(paymentAmountCents))}.`
      : `You canceled after the start, so our terms ask for the full price: ${formatCents(paymentAmountCents)}.`;
  if (isPaid) return phase === "late" ? `${fee} ${CALL_FOR_PARTIAL_REFUND_TEXT}` : fee;
  return `${fee} Nothing was charged. Your consultant may ask you for the fee.`;
}
