type PayableAppointment = {
  status: string;
  paymentAmountCents: number | null;
  payments: readonly { amountCents: number; refundedCents: number }[];
};

/** What was paid for an appointment, what went back, and what is still to be paid when people meet; cents. */
export function balance({ status, paymentAmountCents, payments }: PayableAppointment) {
  const paidCents = sum(payments.map(({ amountCents }) => amountCents));
  const refundedCents = sum(payments.map(({ refundedCents: refunded }) => refunded));
  const isUnpaid = status !== "cancelled" && paidCents === 0;
  return { paidCents, refundedCents, dueCents: isUnpaid ? (paymentAmountCents ?? 0) : 0 };
}

/** The same in words; null where there is nothing to say. */
export function balanceText(appointment: PayableAppointment): string | null {
  const { paidCents, refundedCents, dueCents } = balance(appointment);
  if (refundedCents > 0) return `${formatCents(paidCents)} paid, ${formatCents(refundedCents)} refunded`;
  if (paidCents > 0) return `${formatCents(paidCents)} paid`;
  return dueCents > 0 ? `${formatCents(dueCents)} still due` : null;
}

/** "$75", "$37.50" */
export function formatCents(cents: number): string {
  return `$${(cents / 100).toFixed(cents % 100 === 0 ? 0 : 2)}`;
}

/** "37.50" or "37,50" typed as dollars, in cents; null when it is no amount. */
export function parseDollars(text: string): number | null {
  const [, whole, fraction = ""] = /^\$? ?(\d{1,5})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  return Number(whole) * 100 + Number(fraction.padEnd(2, "0") || 0);
}

function sum(all: readonly number[]): number {
  return all.reduce((total, each) => total + each, 0);
}
