import { createHash } from "node:crypto";
import { logError } from "../http/errors.server.ts";
import { refused } from "../http/outcome.ts";
import type { PaymentGateway, ProviderPayment } from "../payments/payment-gateway.ts";
import type { ProviderState } from "../payments/payment-gateway.server.ts";
import type { Payment } from "./find-payment.server.ts";

const CURRENCY = "USD";
const WRONG_PAYMENT_MESSAGE =
  "The card provider did not take the payment as we asked, so nothing is booked. Anything you were charged will be refunded to your card. Please try again.";

/** Returns the payments that are authorized, or captured and not fully refunded. */
export function authorizedOrCapturedPayments({ payments }: ProviderState): ProviderPayment[] {
  return payments.filter(
    ({ status, amountCents, refundedCents }) =>
      status === "approved" || (status === "captured" && !(refundedCents >= amountCents)),
  );
}

/** Whether the provider's payment has another order or key, so that it must not be released or refunded. */
export function isForOtherPayment(storedPayment: Payment, found: ProviderPayment): boolean {
  if (storedPayment.orderId !== null) return found.orderId !== undefined && found.orderId !== storedPayment.orderId;
  return found.reference !== undefined && found.reference !== storedPayment.key;
}

/**
 * Compares the provider's report with the request: exact amount without a tip, currency, order, key, location, and a
 * single payment. Returns the differences as text for the log and the administrator; null when there are none. A
 * missing amount, currency or order of a payment is a difference. Source: docs/decisions/0005.
 */
export function describeMismatch(
  storedPayment: Payment,
  { order, payments }: ProviderState,
  { config }: PaymentGateway,
): string | null {
  const compare = (field: string, found: unknown, expected: unknown) =>
    found === expected ? [] : [`${field} ${String(found ?? "unknown")} instead of ${String(expected)}`];
  const compareIfKnown = (field: string, found: unknown, expected: unknown) =>
    found === undefined ? [] : compare(field, found, expected);
  const [payment, ...others] = payments;
  const differences = [
    ...(others.length > 0 ? [`${payments.length} payments instead of 1`] : []),
    ...compareIfKnown("order", order?.id, storedPayment.orderId),
    ...compareIfKnown("order reference", order?.reference, storedPayment.key),
    ...compareIfKnown("order location", order?.locationId, config.locationId),
    ...compareIfKnown("order amount", order?.amountCents, storedPayment.amountCents),
    ...compareIfKnown("order currency", order?.currency, CURRENCY),
    ...(payment
      ? [
          ...(storedPayment.providerPaymentId ? compare("payment", payment.id, storedPayment.providerPaymentId) : []),
          ...compare("amount", payment.amountCents, storedPayment.amountCents),
          ...compare("tip", payment.tipCents, 0),
          ...compare("currency", payment.currency, CURRENCY),
          ...(storedPayment.orderId ? compare("order", payment.orderId, storedPayment.orderId) : []),
          // Payments on a hosted page may lack our key. They are matched by their order.
          ...(storedPayment.orderId ? [] : compareIfKnown("reference", payment.reference, storedPayment.key)),
          ...compareIfKnown("location", payment.locationId, config.locationId),
        ]
      : []),
  ];
  return differences.length > 0 ? differences.join(", ") : null;
}

/**
 * Compares a payment with the provider's report and logs an alert if they differ. Returns the columns that mark a
 * mismatch; null when they agree. The dashboard shows the administrator a warning (payment-warnings).
 */
export function detectAndLogMismatch(gateway: PaymentGateway, payment: Payment, found: ProviderState) {
  const mismatch = describeMismatch(payment, found, gateway);
  if (!mismatch) return null;
  logError(`Payment ${payment.id}: ${mismatch}.`, "alert: the card provider reports a payment we did not ask for");
  return { mismatch, refusal: refused("providerFailed", WRONG_PAYMENT_MESSAGE) };
}

/**
 * Releases one payment at the provider: cancels an authorization, or refunds a charge in its own currency. Returns true
 * once the provider has accepted. Idempotent: the key of the refund is derived from the payment.
 */
export async function voidOrRefundAtProvider(
  gateway: PaymentGateway,
  { key }: Payment,
  { id, status, amountCents, refundedCents, currency }: ProviderPayment,
  deadline: AbortSignal,
): Promise<boolean> {
  if (status === "approved") {
    const canceled = await gateway.cancel(id, deadline);
    return canceled.ok && canceled.value.status === "closed";
  }
  // Square accepts keys of at most 45 characters.
  const refundKey = createHash("sha256").update(`${key} ${id} ${refundedCents}`).digest("base64url");
  const order = { key: refundKey, paymentId: id, amountCents: amountCents - refundedCents, currency };
  const refunded = await gateway.refund(order, deadline);
  return refunded.ok && refunded.value.status !== "failed";
}
