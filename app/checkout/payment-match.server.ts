import { createHash } from "node:crypto";
import type { Gateway, ProviderPayment } from "../payments/gateway.ts";
import type { ProviderState } from "../payments/gateway.server.ts";
import type { Payment } from "./payments.server.ts";

const CURRENCY = "USD";

/** Payments that hold or have taken money which did not go back yet. */
export function activePayments({ payments }: ProviderState): ProviderPayment[] {
  return payments.filter(
    ({ status, amountCents, refundedCents }) =>
      status === "approved" || (status === "captured" && !(refundedCents >= amountCents)),
  );
}

/** Whether the provider's payment belongs to another order or another key: not ours to give back. */
export function isForeign(ours: Payment, found: ProviderPayment): boolean {
  if (ours.orderId !== null) return found.orderId !== undefined && found.orderId !== ours.orderId;
  return found.reference !== undefined && found.reference !== ours.key;
}

/**
 * Compares what the provider holds with what we asked for: the exact amount, currency, order, key, place and number of
 * payments. Returns what differs, as text for the log and the administrator, or null when it is our payment. What the
 * provider leaves open of an amount, a currency or a payment's order differs.
 */
export function mismatchOf(ours: Payment, { order, payments }: ProviderState, { config }: Gateway): string | null {
  const differs = (what: string, found: unknown, expected: unknown) =>
    found === expected ? [] : [`${what} ${String(found ?? "unknown")} instead of ${String(expected)}`];
  const ifKnown = (what: string, found: unknown, expected: unknown) =>
    found === undefined ? [] : differs(what, found, expected);
  const [payment, ...more] = payments;
  const problems = [
    ...(more.length > 0 ? [`${payments.length} payments instead of 1`] : []),
    ...ifKnown("order", order?.id, ours.orderId),
    ...ifKnown("order reference", order?.reference, ours.key),
    ...ifKnown("order location", order?.locationId, config.locationId),
    ...ifKnown("order amount", order?.amountCents, ours.amountCents),
    ...ifKnown("order currency", order?.currency, CURRENCY),
    ...(payment
      ? [
          ...(ours.providerPaymentId ? differs("payment", payment.id, ours.providerPaymentId) : []),
          ...differs("amount", payment.amountCents, ours.amountCents),
          ...differs("tip", payment.tipCents, 0),
          ...differs("currency", payment.currency, CURRENCY),
          ...(ours.orderId ? differs("order", payment.orderId, ours.orderId) : []),
          // Payments of a hosted page need not carry our key; their order does.
          ...(ours.orderId ? [] : ifKnown("reference", payment.reference, ours.key)),
          ...ifKnown("location", payment.locationId, config.locationId),
        ]
      : []),
  ];
  return problems.length > 0 ? problems.join(", ") : null;
}

/**
 * Gives back whatever one payment of the provider still holds: cancels a reservation, refunds a charge. True once
 * nothing is held any more. Repeating is harmless: the key of the refund follows from the payment.
 */
export async function releaseAtProvider(
  gateway: Gateway,
  { key }: Payment,
  { id, status, amountCents, refundedCents, currency }: ProviderPayment,
  deadline: AbortSignal,
): Promise<boolean> {
  if (status === "approved") {
    const cancelled = await gateway.cancel(id, deadline);
    return cancelled.ok && cancelled.value.status === "closed";
  }
  // Square takes keys of at most 45 characters.
  const refundKey = createHash("sha256").update(`${key} ${id} ${refundedCents}`).digest("base64url");
  const order = { key: refundKey, paymentId: id, amountCents: amountCents - refundedCents, currency };
  const refunded = await gateway.refund(order, deadline);
  return refunded.ok && refunded.value.status !== "failed";
}
