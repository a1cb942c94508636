import { formatDateTime } from "../ui/dates.ts";
import { dollars } from "./money.ts";

const HOUR = 3_600_000;
/** Terms of service (specification §9). */
const NOTICE_HOURS = 24;
const LATE_FEE = 0.5;

/** What cancelling means beside the money. */
export const FREE_AGAIN =
  "We see at once that you are not coming, and the time is free for others. This can't be undone.";
const NOTHING = "You have paid nothing here, so nothing is charged or paid back now.";

type Cancellable = { appointmentDate: Date; paymentAmountCents: number | null };
/** What was paid online for an appointment, and what of it has gone back already; cents. */
export type PaidOnline = { amountCents: number; refundedCents: number };

/** What comes back of a payment when a family cancels at `now`, in cents: all of it, half, or nothing (decisions §5.8). */
export function refundDue({ amountCents, refundedCents }: PaidOnline, start: Date, now: Date): number {
  const left = start.getTime() - now.getTime();
  const kept = left >= NOTICE_HOURS * HOUR ? 0 : left > 0 ? Math.round(amountCents * LATE_FEE) : amountCents;
  return Math.max(0, amountCents - kept - refundedCents);
}

/** What cancelling costs just now, in words; what was paid online decides what comes back. */
export function cancellationTerms(appointment: Cancellable, paid: PaidOnline | null, now: Date, zone: string): string {
  return paid ? refundTerms(appointment, paid, now, zone) : feeTerms(appointment, now);
}

function refundTerms({ appointmentDate: start }: Cancellable, paid: PaidOnline, now: Date, zone: string): string {
  const due = refundDue(paid, start, now);
  const amount = dollars(due);
  const left = start.getTime() - now.getTime();
  const earlier = paid.refundedCents > 0 ? ` ${dollars(paid.refundedCents)} went back to you before.` : "";
  if (left <= 0) return `It has begun. Our terms give nothing back then.${earlier}`;
  const back = `goes back to the card you paid with.${earlier}`;
  if (left < NOTICE_HOURS * HOUR) {
    return `It begins in less than ${NOTICE_HOURS} hours: 50% refund until the start, then nothing. If you cancel now, ${amount} ${back}`;
  }
  const until = formatDateTime(new Date(start.getTime() - NOTICE_HOURS * HOUR), zone);
  return `Full refund until ${until}, then 50%. If you cancel now, ${amount} ${back}`;
}

/** Nothing is collected or returned here for what is paid in person. */
function feeTerms({ appointmentDate, paymentAmountCents }: Cancellable, now: Date): string {
  const price = paymentAmountCents ?? 0;
  const left = appointmentDate.getTime() - now.getTime();
  if (left >= NOTICE_HOURS * HOUR) {
    return `Cancelling ${NOTICE_HOURS} hours or more before the start costs nothing. ${NOTHING}`;
  }
  if (left > 0) {
    return `It begins in less than ${NOTICE_HOURS} hours. Our terms ask for a 50% fee then: ${dollars(Math.round(price * LATE_FEE))}. ${NOTHING}`;
  }
  return `It has begun. Our terms charge an appointment that nobody came to in full: ${dollars(price)}. ${NOTHING}`;
}

/** What follows the news that an appointment has ended; nothing where nothing was paid online. */
export function refundMessage({ refundCents, isSent }: { refundCents: number | null; isSent: boolean }): string {
  if (refundCents === null) return "";
  if (refundCents === 0) return ". Nothing goes back to the card.";
  const amount = dollars(refundCents);
  return isSent
    ? `. ${amount} goes back to the card; banks take a few days.`
    : `. ${amount} goes back to the card as soon as the card provider answers. You need not do anything.`;
}
