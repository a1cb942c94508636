import { HOUR_MS } from "../../duration.ts";
import { formatShortDateTime } from "../../ui/dates.ts";
import { formatCents } from "../../ui/money.ts";
import { CHANGE_DEADLINE_HOURS, isBeforeChangeDeadline } from "../change-deadline.ts";

/** Source: terms of service; docs/product.md, Cancelling. */
const LATE_FEE_RATE = 0.5;

/** The online payment of an appointment, and the part refunded so far; cents. */
export type OnlinePayment = { amountCents: number; refundedCents: number };

/**
 * The refund in cents when a family cancels at `now`: all until 24 hours before the start, half until the start, then
 * nothing; less what was refunded before. Source: docs/product.md, Cancelling.
 */
export function refundDueCents({ amountCents, refundedCents }: OnlinePayment, start: Date, now: Date): number {
  const msUntilStart = start.getTime() - now.getTime();
  const feeCents =
    msUntilStart >= CHANGE_DEADLINE_HOURS * HOUR_MS ? 0 : msUntilStart > 0 ? lateFeeCents(amountCents) : amountCents;
  return Math.max(0, amountCents - feeCents - refundedCents);
}

/** The fee of the terms in cents for cancelling within 24 hours of the start. */
export function lateFeeCents(priceCents: number): number {
  return Math.round(priceCents * LATE_FEE_RATE);
}

/** What cancelling costs, in words, while no start is known. */
export const REFUND_RULE = `Cancel ${CHANGE_DEADLINE_HOURS} hours or more before the start for a full refund; after that there is a 50% fee.`;

/** The same for a visit at `start`, with the last moment of the full refund in `zone`. */
export function refundRuleUntil(start: Date, zone: string): string {
  const end = new Date(start.getTime() - CHANGE_DEADLINE_HOURS * HOUR_MS);
  return `Cancel by ${formatShortDateTime(end, zone)} for a full refund; after that there is a 50% fee.`;
}

type LateBooking = { start: Date; priceCents: number; isPaidOnline: boolean };

/** What cancelling a visit at `start` costs, said before it is booked; null while it costs nothing at `now`. */
export function lateCancellationNote(
  { start, priceCents, isPaidOnline }: LateBooking,
  now: Date,
  subject = "This visit",
): string | null {
  if (priceCents === 0 || isBeforeChangeDeadline({ appointmentDate: start }, now)) return null;
  const consequence = isPaidOnline
    ? `half (${formatCents(refundDueCents({ amountCents: priceCents, refundedCents: 0 }, start, now))}) comes back`
    : `our terms ask for a 50% fee (${formatCents(lateFeeCents(priceCents))})`;
  return `${subject} starts in less than ${CHANGE_DEADLINE_HOURS} hours. If you cancel it, ${consequence}.`;
}
