import { formatDateTime, formatShortDateTime } from "../../ui/format-date-time.ts";
import { formatCents } from "../../ui/format-currency.ts";
import { isCompletedOrNoShow } from "../appointment-status.ts";
import {
  SELF_SERVICE_DEADLINE_HOURS,
  isBeforeSelfServiceDeadline,
  selfServiceDeadline,
} from "../self-service-deadline.ts";

/**
 * Share of the price that is charged for a late cancellation. Source: terms of service; docs/product.md, Canceling.
 */
const LATE_FEE_RATE = 0.5;
export const LATE_FEE_TEXT = `${LATE_FEE_RATE * 100}%`;

/** Online payment of an appointment, and the amount refunded so far, in cents. */
export type RefundablePayment = { amountCents: number; refundedCents: number };

/** When a family cancels: before the deadline, between the deadline and the start, or after the start. */
export type CancellationPhase = "free" | "late" | "started";

export function cancellationPhase(start: Date, now: Date): CancellationPhase {
  if (isBeforeSelfServiceDeadline({ appointmentDate: start }, now)) return "free";
  return start > now ? "late" : "started";
}

/** Returns the amount of a payment that has not been refunded, in cents. */
export function unrefundedCents({ amountCents, refundedCents }: RefundablePayment): number {
  return amountCents - refundedCents;
}

/**
 * Returns the refund in cents when the practice cancels or deletes an appointment at `now`: the remaining amount before
 * the start, unless the visit is marked completed or no-show; nothing after the start. Source: docs/product.md,
 * Canceling.
 */
export function practiceRefundCents(
  { status, appointmentDate }: { status: string; appointmentDate: Date },
  payment: RefundablePayment,
  now: Date,
): number {
  return appointmentDate > now && !isCompletedOrNoShow(status) ? unrefundedCents(payment) : 0;
}

/**
 * Returns the refund in cents when a family cancels at `now`: the full amount until 24 hours before the start, half
 * until the start, nothing after it, minus earlier refunds. Source: docs/product.md, Canceling.
 */
export function familyRefundCents({ amountCents, refundedCents }: RefundablePayment, start: Date, now: Date): number {
  return Math.max(0, amountCents - cancellationFeeCents(amountCents, start, now) - refundedCents);
}

/**
 * Returns the fee in cents, according to the terms, when a family cancels at `now`: nothing until 24 hours before the
 * start, half until the start, the full price after it.
 */
export function cancellationFeeCents(priceCents: number, start: Date, now: Date): number {
  return { free: 0, late: lateFeeCents(priceCents), started: priceCents }[cancellationPhase(start, now)];
}

/** Returns the fee in cents, according to the terms, for canceling within 24 hours of the start. */
export function lateFeeCents(priceCents: number): number {
  return Math.round(priceCents * LATE_FEE_RATE);
}

/** What canceling costs, in words, while the start is not known. */
export const REFUND_RULE_TEXT = `Cancel ${SELF_SERVICE_DEADLINE_HOURS} hours or more before the start for a full refund; after that there is a ${LATE_FEE_TEXT} fee.`;

/** Returns what canceling a visit at `start` costs, in words, with the last moment for a full refund in `zone`. */
export function refundRuleTextWithDeadline(start: Date, zone: string): string {
  const end = selfServiceDeadline(start);
  return `Cancel by ${formatShortDateTime(end, zone)} for a full refund; after that there is a ${LATE_FEE_TEXT} fee.`;
}

export type BookedVisit = {
  appointmentDate: Date;
  paymentMethod: string | null;
  paymentAmountCents: number | null;
  payments: readonly RefundablePayment[];
};

/**
 * Returns what moving or canceling a booked visit costs a family at `now`, depending on the payment method. Times are
 * in `zone`.
 */
export function moveAndCancellationTerms(visit: BookedVisit, now: Date, zone: string): string {
  const { appointmentDate: start } = visit;
  if (start <= now) return `It has started. If you cancel it now, ${cancellationCostText(visit, now)}`;
  if (!isBeforeSelfServiceDeadline(visit, now)) {
    const emergency = isChangeFree(visit) ? "" : " Is it an emergency? Please call us before you cancel.";
    return `It starts in less than ${SELF_SERVICE_DEADLINE_HOURS} hours. To move it, please call us. If you cancel it, ${cancellationCostText(visit, now)}${emergency}`;
  }
  const freeUntil = formatDateTime(selfServiceDeadline(start), zone);
  if (isChangeFree(visit)) return `Move it until ${freeUntil}, or cancel it until it starts. Both cost nothing.`;
  const laterCost = cancellationCostText(visit, new Date(start.getTime() - 1));
  return `Move or cancel it at no cost until ${freeUntil}. If you cancel it after that, ${laterCost}`;
}

/**
 * Returns these terms after the practice has just moved the visit. If it was moved to less than 24 hours from now, the
 * practice cancels it for the family at no cost.
 */
export function termsAfterPracticeMove(visit: BookedVisit, now: Date, zone: string): string {
  const isLate = visit.appointmentDate > now && !isBeforeSelfServiceDeadline(visit, now);
  if (!isLate || isChangeFree(visit)) return moveAndCancellationTerms(visit, now, zone);
  return `It starts in less than ${SELF_SERVICE_DEADLINE_HOURS} hours. Please call us before you cancel it yourself: because we moved it, we cancel it for you without a fee.`;
}

/**
 * Returns these terms for a visit that could long be changed at no cost, when that period has ended or is about to end.
 * Names the deadline, so that the text is correct whenever it is read before the start.
 */
export function cancellationTermsAfterDeadline(visit: BookedVisit, now: Date, zone: string): string {
  const { appointmentDate: start } = visit;
  if (start <= now) return moveAndCancellationTerms(visit, now, zone);
  const freeUntil = formatDateTime(selfServiceDeadline(start), zone);
  const cost = cancellationCostText(visit, new Date(start.getTime() - 1));
  if (isChangeFree(visit))
    return `You could move it until ${freeUntil}; to move it after that, please call us. If you cancel it, ${cost}`;
  return `Moving or canceling it was free until ${freeUntil}. To move it after that, please call us. If you cancel it after that, ${cost}`;
}

/** Returns the end of a sentence about canceling less than 24 hours before the start, or after the start. */
function cancellationCostText(visit: BookedVisit, now: Date): string {
  if (isChangeFree(visit)) return "it costs nothing.";
  const hasStarted = visit.appointmentDate <= now;
  const priceCents = visit.paymentAmountCents ?? 0;
  if (visit.paymentMethod !== "online") {
    const fee = hasStarted
      ? `the full price (${formatCents(priceCents)})`
      : `a ${LATE_FEE_TEXT} fee (${formatCents(lateFeeCents(priceCents))})`;
    return `our terms ask for ${fee}. Nothing is charged online: your consultant will talk with you about it.`;
  }
  const dueCents = familyRefundCents(sumOnlinePayments(visit), visit.appointmentDate, now);
  const refundSentence =
    dueCents > 0 ? `${formatCents(dueCents)} goes back to your card` : "nothing more goes back to your card";
  return hasStarted ? `${refundSentence}.` : `there is a ${LATE_FEE_TEXT} fee, and ${refundSentence}.`;
}

/** Checks whether changes are free: no online payment that the practice could keep, and nothing left to pay. */
function isChangeFree(visit: BookedVisit): boolean {
  if (visit.paymentMethod !== "online") return !visit.paymentAmountCents;
  return unrefundedCents(sumOnlinePayments(visit)) <= 0;
}

/** Returns what was paid online. Right after booking, when the payment is still being captured, that is the price. */
function sumOnlinePayments({ paymentAmountCents, payments }: BookedVisit): RefundablePayment {
  if (payments.length === 0) return { amountCents: paymentAmountCents ?? 0, refundedCents: 0 };
  const total = (read: (payment: RefundablePayment) => number) => payments.reduce((sum, each) => sum + read(each), 0);
  return { amountCents: total((each) => each.amountCents), refundedCents: total((each) => each.refundedCents) };
}

type LateBooking = { start: Date; priceCents: number; isPaidOnline: boolean };

/** Returns what canceling a visit at `start` costs, to show before it is booked; null if it costs nothing at `now`. */
export function lateCancellationCostText({ start, priceCents, isPaidOnline }: LateBooking, now: Date): string | null {
  if (priceCents === 0 || isBeforeSelfServiceDeadline({ appointmentDate: start }, now)) return null;
  const consequence = isPaidOnline
    ? `only ${formatCents(familyRefundCents({ amountCents: priceCents, refundedCents: 0 }, start, now))} comes back`
    : `our terms ask for a ${LATE_FEE_TEXT} fee (${formatCents(lateFeeCents(priceCents))})`;
  return `This visit starts in less than ${SELF_SERVICE_DEADLINE_HOURS} hours. If you cancel it, ${consequence}.`;
}

/** Returns what a family loses when it moves a visit to less than 24 hours from now. */
export function lateMoveCostText({ priceCents, isPaidOnline }: Omit<LateBooking, "start">): string {
  const fee = formatCents(lateFeeCents(priceCents));
  const refund = formatCents(priceCents - lateFeeCents(priceCents));
  const consequence = isPaidOnline
    ? `, and canceling gives back only ${refund}`
    : `, and canceling has a ${LATE_FEE_TEXT} fee (${fee})`;
  return `Less than ${SELF_SERVICE_DEADLINE_HOURS} hours away: you can't move it again here${priceCents === 0 ? "" : consequence}.`;
}
