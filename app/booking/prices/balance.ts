import { formatCents } from "../../ui/format-currency.ts";
import { sum } from "./sum.ts";

type PayableAppointment = {
  status: string;
  paymentAmountCents: number | null;
  waivedAt: Date | null;
  payments: readonly { amountCents: number; refundedCents: number }[];
};

type PaidAppointment = { paymentId: string | null; status: string; paymentStatus: string };

/**
 * Returns what was paid for an appointment, what was refunded, what is still due in person, and what the administrator
 * has waived; all in US cents.
 */
export function balance({ status, paymentAmountCents, waivedAt, payments }: PayableAppointment) {
  const paidCents = sum(payments.map(({ amountCents }) => amountCents));
  const refundedCents = sum(payments.map(({ refundedCents: refunded }) => refunded));
  const isUnpaid = status !== "cancelled" && paidCents === 0;
  const unpaidCents = isUnpaid ? (paymentAmountCents ?? 0) : 0;
  return {
    paidCents,
    refundedCents,
    dueCents: waivedAt ? 0 : unpaidCents,
    waivedCents: waivedAt ? unpaidCents : 0,
  };
}

/** Checks whether the PAID badge is shown. It would be wrong on a canceled visit or after a refund. */
export function hasPaidBadge({ paymentId, status, paymentStatus }: PaidAppointment): boolean {
  return paymentId !== null && status !== "cancelled" && !["refunded", "partly-refunded"].includes(paymentStatus);
}

/**
 * Returns the balance as part of a sentence, such as "$75 still due"; null when nothing was paid and nothing is due.
 */
export function balanceText(appointment: PayableAppointment): string | null {
  const { paidCents, refundedCents, dueCents, waivedCents } = balance(appointment);
  if (appointment.status === "cancelled" && paidCents > 0) return refundText(paidCents, refundedCents);
  if (refundedCents > 0) return `${formatCents(paidCents)} paid, ${formatCents(refundedCents)} refunded`;
  if (paidCents > 0) return `${formatCents(paidCents)} paid`;
  if (waivedCents > 0) return `${formatCents(waivedCents)} waived`;
  return dueCents > 0 ? `${formatCents(dueCents)} still due` : null;
}

/** Returns the balance text to show next to the PAID badge, which already says that the visit was paid. */
export function balanceBesideBadge(appointment: PayableAppointment & PaidAppointment): string | null {
  const { paidCents, refundedCents } = balance(appointment);
  const isShownByBadge = hasPaidBadge(appointment) && paidCents > 0 && refundedCents === 0;
  return isShownByBadge ? formatCents(paidCents) : balanceText(appointment);
}

function refundText(paidCents: number, refundedCents: number): string {
  if (refundedCents === 0) return `${formatCents(paidCents)} paid, nothing refunded`;
  return `refunded ${formatCents(refundedCents)}${refundedCents < paidCents ? ` of ${formatCents(paidCents)}` : ""}`;
}
