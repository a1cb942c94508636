import { formatCents } from "../../ui/format-currency.ts";
import { sum } from "../../sum.ts";

type PayableAppointment = {
  appointmentDate: Date;
  status: string;
  paymentAmountCents: number | null;
  waivedAt: Date | null;
  payments: readonly { amountCents: number; refundedCents: number }[];
};

type PaidAppointment = { paymentId: string | null; status: string; paymentStatus: string };

/**
 * Returns what was paid for an appointment, what was refunded, what is not paid, and what the administrator has waived;
 * all in US cents. What is not paid is due once the visit has begun.
 */
export function computeBalance({
  status,
  paymentAmountCents,
  waivedAt,
  payments,
}: Omit<PayableAppointment, "appointmentDate">) {
  const paidCents = sum(payments.map(({ amountCents }) => amountCents));
  const refundedCents = sum(payments.map(({ refundedCents: refunded }) => refunded));
  const isUnpaid = status !== "cancelled" && paidCents === 0;
  const priceCents = isUnpaid ? (paymentAmountCents ?? 0) : 0;
  return {
    paidCents,
    refundedCents,
    unpaidCents: waivedAt ? 0 : priceCents,
    waivedCents: waivedAt ? priceCents : 0,
  };
}

/** Checks whether the PAID badge is shown. It would be wrong on a canceled visit or after a refund. */
export function hasPaidBadge({ paymentId, status, paymentStatus }: PaidAppointment): boolean {
  return paymentId !== null && status !== "cancelled" && !["refunded", "partly-refunded"].includes(paymentStatus);
}

/**
 * Returns the balance at `now` as part of a sentence, such as "$75 due" or, before the visit, "$75 to pay"; null when
 * nothing was paid and nothing is to be paid.
 */
export function balanceText(appointment: PayableAppointment, now: Date): string | null {
  const { paidCents, refundedCents, unpaidCents, waivedCents } = computeBalance(appointment);
  if (appointment.status === "cancelled" && paidCents > 0) return canceledVisitBalanceText(paidCents, refundedCents);
  if (refundedCents > 0) return `${formatCents(paidCents)} paid, ${formatCents(refundedCents)} refunded`;
  if (paidCents > 0) return `${formatCents(paidCents)} paid`;
  if (waivedCents > 0) return `${formatCents(waivedCents)} waived`;
  if (unpaidCents === 0) return null;
  return `${formatCents(unpaidCents)} ${appointment.appointmentDate <= now ? "due" : "to pay"}`;
}

/** Returns the balance text to show next to the PAID badge, which already says that the visit was paid. */
export function balanceTextBesidePaidBadge(
  appointment: PayableAppointment & PaidAppointment,
  now: Date,
): string | null {
  const { paidCents, refundedCents } = computeBalance(appointment);
  const isShownByBadge = hasPaidBadge(appointment) && paidCents > 0 && refundedCents === 0;
  return isShownByBadge ? formatCents(paidCents) : balanceText(appointment, now);
}

function canceledVisitBalanceText(paidCents: number, refundedCents: number): string {
  if (refundedCents === 0) return `${formatCents(paidCents)} paid, nothing refunded`;
  return `refunded ${formatCents(refundedCents)}${refundedCents < paidCents ? ` of ${formatCents(paidCents)}` : ""}`;
}
