import { now } from "../clock.ts";
import type { PaymentGateway, ProviderPayment } from "../payments/payment-gateway.ts";
import { fetchProviderPaymentState } from "../payments/payment-gateway.server.ts";
import {
  BOOKING_FAILED_REASON,
  bookOrReleasePayment,
  markPaidAndRefundUnbooked,
} from "./book-or-release-payment.server.ts";
import { computePaymentHoldExpiry } from "./create-payment.server.ts";
import type { Payment } from "./find-payment.server.ts";
import {
  authorizedOrCapturedPayments,
  isForOtherPayment,
  describeMismatch,
  voidOrRefundAtProvider,
  detectAndLogMismatch,
} from "./payment-mismatch.server.ts";
import {
  leasePayment,
  cancelBookingAsUnpaid,
  markCheckoutVoided,
  markPaid,
  markVoided,
  startVoiding,
  startVoidingBooked,
} from "./payment-transitions.server.ts";

/**
 * Minimum age of a payment before its last void by key: a request that timed out can still reach the provider until
 * then.
 */
const IN_FLIGHT_GRACE_MS = 45_000;

/**
 * Advances one payment until it is final or must wait for the provider: to booked and paid if the card was authorized
 * for it, otherwise until nothing is charged or will be charged. Idempotent; any worker may call it in any state.
 * `deadline` limits all calls to the provider. Throws when the booking can't be decrypted. Source: docs/decisions/0005.
 */
export async function advancePayment(gateway: PaymentGateway, payment: Payment, deadline: AbortSignal): Promise<void> {
  const nextPayment = await advanceOnce(gateway, payment, deadline);
  if (nextPayment) await advancePayment(gateway, nextPayment, deadline);
}

/** Makes one transition. Returns the updated payment, or null when it is final or nothing more can be done now. */
async function advanceOnce(gateway: PaymentGateway, payment: Payment, deadline: AbortSignal): Promise<Payment | null> {
  switch (payment.state) {
    case "started":
      return startVoiding(payment);
    case "authorized":
      return (await bookOrReleasePayment(payment)).payment;
    case "booked":
      return capturePayment(gateway, payment, deadline);
    case "voiding":
      return advanceVoiding(gateway, payment, deadline);
    case "waiting":
    case "closing":
      return advanceHostedCheckout(gateway, payment, deadline);
    default:
      return null;
  }
}

/**
 * Captures the authorized amount. Marks the payment as paid only when the provider confirms the charge. Returns null
 * when the result is not certain yet, or when another worker changed the payment first.
 */
export async function capturePayment(
  gateway: PaymentGateway,
  payment: Payment,
  deadline: AbortSignal,
): Promise<Payment | null> {
  const providerPaymentId = payment.providerPaymentId ?? "";
  const result = await gateway.capture(providerPaymentId, deadline);
  if (result.ok && result.value.status === "captured") return markPaidOrVoidMismatch(gateway, payment, result.value);
  if (!result.ok && result.kind !== "declined") return null;
  const found = await gateway.find(providerPaymentId, deadline);
  if (!found.ok) return null;
  if (found.value?.status === "captured") return markPaidOrVoidMismatch(gateway, payment, found.value);
  return found.value === null || found.value.status === "closed" ? cancelBookingAsUnpaid(payment) : null;
}

function markPaidOrVoidMismatch(gateway: PaymentGateway, payment: Payment, captured: ProviderPayment) {
  const mismatch = detectAndLogMismatch(gateway, payment, { order: null, payments: [captured] });
  return mismatch ? startVoidingBooked(payment, mismatch) : markPaid(payment);
}

async function advanceVoiding(
  gateway: PaymentGateway,
  payment: Payment,
  deadline: AbortSignal,
): Promise<Payment | null> {
  if (!payment.providerPaymentId && payment.method === "card") {
    const canceled = await gateway.cancelByKey(payment.key, deadline);
    // Only the idempotency key is known, and the provider has no payment for it now. The payment is final once no
    // delayed request can arrive at the provider.
    if (canceled.ok) return markVoidedOrRetryLater(payment);
    if (canceled.kind !== "declined") return null;
  }
  const found = await fetchProviderPaymentState(gateway, payment, deadline);
  if (!found.ok) return null;
  const active = authorizedOrCapturedPayments(found.value);
  const [firstActivePayment] = active;
  const activeState = { ...found.value, payments: active };
  const matchesPayment = firstActivePayment && describeMismatch(payment, activeState, gateway) === null;
  // Only an exact match is recorded as paid and refunded.
  if (matchesPayment && firstActivePayment.status === "captured")
    return markPaidAndRefundUnbooked(payment, firstActivePayment, BOOKING_FAILED_REASON);
  const paymentsToRelease = active.filter((each) => !isForOtherPayment(payment, each));
  const released = await Promise.all(
    paymentsToRelease.map((each) => voidOrRefundAtProvider(gateway, payment, each, deadline)),
  );
  if (!released.every(Boolean) || found.value.payments.some(({ status }) => status === "pending")) return null;
  const ownProviderPayment = found.value.payments.find((each) => !isForOtherPayment(payment, each));
  return markVoided(payment, {
    ...(ownProviderPayment && payment.method === "card" ? { providerPaymentId: ownProviderPayment.id } : {}),
    ...(firstActivePayment && !payment.mismatch ? detectAndLogMismatch(gateway, payment, activeState) : {}),
  });
}

async function markVoidedOrRetryLater(payment: Payment): Promise<Payment | null> {
  const retryAt = new Date(payment.createdAt.getTime() + IN_FLIGHT_GRACE_MS);
  if (retryAt <= now()) return markVoided(payment);
  await leasePayment(payment, retryAt);
  return null;
}

/**
 * Checks whether the family has paid on the provider's page. A page that has expired or was replaced is closed before
 * the check, so that nobody can pay on it afterwards.
 */
async function advanceHostedCheckout(
  gateway: PaymentGateway,
  payment: Payment,
  deadline: AbortSignal,
): Promise<Payment | null> {
  const isReplaced = payment.state === "closing";
  const shouldClose = isReplaced || computePaymentHoldExpiry(payment.createdAt) <= now();
  if (shouldClose) {
    const closed = await gateway.closeCheckout(payment.checkoutId ?? "", deadline);
    if (!closed.ok) return null;
  }
  const found = await fetchProviderPaymentState(gateway, payment, deadline);
  if (!found.ok) return null;
  const active = authorizedOrCapturedPayments(found.value);
  const [firstActivePayment] = active;
  const mismatch = firstActivePayment
    ? detectAndLogMismatch(gateway, payment, { ...found.value, payments: active })
    : null;
  if (mismatch) {
    // The page is closed first, so that nobody can pay on it during the refund.
    const closed = await gateway.closeCheckout(payment.checkoutId ?? "", deadline);
    return closed.ok ? startVoiding(payment, mismatch) : null;
  }
  if (firstActivePayment?.status === "captured") {
    if (isReplaced)
      return markPaidAndRefundUnbooked(
        payment,
        firstActivePayment,
        "Paid on a page that the family had left for another.",
      );
    return (await bookOrReleasePayment(payment, firstActivePayment)).payment;
  }
  if (!shouldClose || found.value.payments.some(({ status }) => status === "pending")) return null;
  if (firstActivePayment) return startVoiding(payment, { providerPaymentId: firstActivePayment.id });
  return markCheckoutVoided(payment);
}
