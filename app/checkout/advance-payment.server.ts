import { now } from "../clock.ts";
import { logError } from "../http/errors.server.ts";
import { type Refusal, refused } from "../http/outcome.ts";
import type { Gateway, ProviderPayment } from "../payments/gateway.ts";
import { findProviderPayment, type ProviderState } from "../payments/gateway.server.ts";
import { parseBookingFields, holdExpiry } from "./create-payment.server.ts";
import { insertAppointment } from "../booking/book.server.ts";
import {
  activeProviderPayments,
  belongsToOtherPayment,
  mismatchOf,
  releaseAtProvider,
} from "./payment-match.server.ts";
import {
  leasePayment,
  markBooked,
  markBookedVoided,
  markCheckoutVoided,
  markPaid,
  markPaidWithoutBooking,
  markVoided,
  startVoiding,
  startVoidingBooked,
} from "./payment-transitions.server.ts";
import { findPayment, type Payment } from "./find-payment.server.ts";
import { createRefund, type Refund, submitRefund } from "./refunds.server.ts";

/** A request that timed out can still reach the provider: a void by key is repeated this long after the creation. */
const LATE_ARRIVAL_MS = 45_000;
const BOOKING_FAILED_REASON = "The appointment could not be booked after the payment.";
const WRONG_PAYMENT =
  "The card provider did not take the payment as we asked, so nothing is booked. Whatever was taken from your card goes back to it. Please try again.";

/**
 * Advances one payment until it is final or must wait for the provider: forward to booked and paid where the card was
 * reserved for it, else back until nothing is or will be charged. Idempotent; any worker may call it in any state.
 * `deadline` bounds all calls of the provider. Throws when the booking can't be decrypted. Source: docs/decisions/0005.
 */
export async function advancePayment(gateway: Gateway, payment: Payment, deadline: AbortSignal): Promise<void> {
  const nextPayment = await advanceOnce(gateway, payment, deadline);
  if (nextPayment) await advancePayment(gateway, nextPayment, deadline);
}

/** One transition. Returns the updated payment, or null when it is final or nothing more can be done now. */
async function advanceOnce(gateway: Gateway, payment: Payment, deadline: AbortSignal): Promise<Payment | null> {
  switch (payment.state) {
    case "started":
      return startVoiding(payment);
    case "authorized":
      return (await bookForPayment(payment)).payment;
    case "booked":
      return capturePayment(gateway, payment, deadline);
    case "voiding":
      return voidAtProvider(gateway, payment, deadline);
    case "waiting":
    case "closing":
      return advanceHostedCheckout(gateway, payment, deadline);
    default:
      return null;
  }
}

/**
 * Compares a payment with what the provider reports. Returns the columns that mark a mismatch, and logs an alert; null
 * when they agree. The dashboard shows the administrator a warning (payment-warnings).
 */
export function mismatchChanges(gateway: Gateway, payment: Payment, found: ProviderState) {
  const mismatch = mismatchOf(payment, found, gateway);
  if (!mismatch) return null;
  logError(`Payment ${payment.id}: ${mismatch}.`, "alert: the card provider reports a payment we did not ask for");
  return { mismatch, refusal: refused("providerFailed", WRONG_PAYMENT) };
}

/**
 * Inserts the appointment in place of the payment's hold, in one transaction. Where that is impossible, an authorized
 * payment is voided, and one captured at the provider's page (`hostedPayment`) refunded in full. `refusal` says why;
 * `payment` is null when another worker was faster, or nothing is left to do.
 */
export async function bookForPayment(
  payment: Payment,
  hostedPayment?: ProviderPayment,
): Promise<{ payment: Payment | null; refusal: Refusal | null }> {
  const fields = parseBookingFields(payment);
  let isCurrentVersion = true;
  const booked =
    !fields || fields.appointmentDate <= now()
      ? null
      : await insertAppointment(
          fields,
          { userId: payment.userId, paymentMethod: "online", paymentId: payment.id },
          async (transaction) => {
            isCurrentVersion = await markBooked(transaction, payment, hostedPayment?.id);
            return isCurrentVersion ? null : { ok: false, reason: "conflict", message: BOOKING_FAILED_REASON };
          },
        );
  if (booked?.ok) return { payment: await findPayment({ id: payment.id }), refusal: null };
  if (!isCurrentVersion) return { payment: null, refusal: booked };
  const nextPayment = hostedPayment
    ? await refundCapturedPayment(payment, hostedPayment, BOOKING_FAILED_REASON)
    : await startVoiding(payment, booked ? { refusal: booked } : {});
  return { payment: nextPayment, refusal: booked };
}

/**
 * Charges what was reserved. The payment becomes paid only when the provider confirms the charge; null when that is not
 * certain yet, or another worker was faster.
 */
export async function capturePayment(
  gateway: Gateway,
  payment: Payment,
  deadline: AbortSignal,
): Promise<Payment | null> {
  const providerPaymentId = payment.providerPaymentId ?? "";
  const result = await gateway.capture(providerPaymentId, deadline);
  if (result.ok && result.value.status === "captured") return recordCapture(gateway, payment, result.value);
  if (!result.ok && result.kind !== "declined") return null;
  const found = await gateway.find(providerPaymentId, deadline);
  if (!found.ok) return null;
  if (found.value?.status === "captured") return recordCapture(gateway, payment, found.value);
  return found.value === null || found.value.status === "closed" ? markBookedVoided(payment) : null;
}

function recordCapture(gateway: Gateway, payment: Payment, captured: ProviderPayment) {
  const mismatch = mismatchChanges(gateway, payment, { order: null, payments: [captured] });
  return mismatch ? startVoidingBooked(payment, mismatch) : markPaid(payment);
}

async function voidAtProvider(gateway: Gateway, payment: Payment, deadline: AbortSignal): Promise<Payment | null> {
  if (!payment.providerPaymentId && payment.method === "card") {
    const cancelled = await gateway.cancelByKey(payment.key, deadline);
    // Only the key is known, and nothing is behind it now: final once no request can arrive late any more.
    if (cancelled.ok) return retryVoidLater(payment);
    if (cancelled.kind !== "declined") return null;
  }
  const found = await findProviderPayment(gateway, payment, deadline);
  if (!found.ok) return null;
  const active = activeProviderPayments(found.value);
  const [only] = active;
  const activeState = { ...found.value, payments: active };
  const isOurs = only && mismatchOf(payment, activeState, gateway) === null;
  // Only an exact match is recorded here as paid and refunded.
  if (isOurs && only.status === "captured") return refundCapturedPayment(payment, only, BOOKING_FAILED_REASON);
  const toRelease = active.filter((each) => !belongsToOtherPayment(payment, each));
  const released = await Promise.all(toRelease.map((each) => releaseAtProvider(gateway, payment, each, deadline)));
  if (!released.every(Boolean) || found.value.payments.some(({ status }) => status === "pending")) return null;
  const own = found.value.payments.find((each) => !belongsToOtherPayment(payment, each));
  return markVoided(payment, {
    ...(own && payment.method === "card" ? { providerPaymentId: own.id } : {}),
    ...(only && !payment.mismatch ? mismatchChanges(gateway, payment, activeState) : {}),
  });
}

async function retryVoidLater(payment: Payment): Promise<Payment | null> {
  const retryAt = new Date(payment.createdAt.getTime() + LATE_ARRIVAL_MS);
  if (retryAt <= now()) return markVoided(payment);
  await leasePayment(payment, retryAt);
  return null;
}

/**
 * Checks whether the family has paid at the provider's page. A page that has expired or was replaced is closed before
 * the check, so that nothing is paid there afterwards.
 */
async function advanceHostedCheckout(
  gateway: Gateway,
  payment: Payment,
  deadline: AbortSignal,
): Promise<Payment | null> {
  const isReplaced = payment.state === "closing";
  const shouldClose = isReplaced || holdExpiry(payment.createdAt) <= now();
  if (shouldClose) {
    const closed = await gateway.closeCheckout(payment.checkoutId ?? "", deadline);
    if (!closed.ok) return null;
  }
  const found = await findProviderPayment(gateway, payment, deadline);
  if (!found.ok) return null;
  const active = activeProviderPayments(found.value);
  const [only] = active;
  const mismatch = only ? mismatchChanges(gateway, payment, { ...found.value, payments: active }) : null;
  if (mismatch) {
    // Closed first, so that nothing more is paid there during the refund.
    const closed = await gateway.closeCheckout(payment.checkoutId ?? "", deadline);
    return closed.ok ? startVoiding(payment, mismatch) : null;
  }
  if (only?.status === "captured") {
    if (isReplaced) return refundCapturedPayment(payment, only, "Paid on a page that the family had left for another.");
    return (await bookForPayment(payment, only)).payment;
  }
  if (!shouldClose || found.value.payments.some(({ status }) => status === "pending")) return null;
  if (only) return startVoiding(payment, { providerPaymentId: only.id });
  return markCheckoutVoided(payment);
}

/** Records a charge for which nothing is booked, and refunds it in full. */
async function refundCapturedPayment(payment: Payment, { id }: ProviderPayment, reason: string): Promise<null> {
  const createdRefunds: (Refund | null)[] = [];
  const paid = await markPaidWithoutBooking(payment, id, async (transaction) => {
    createdRefunds.push(await createRefund(transaction, payment, { amountCents: payment.amountCents, reason }));
  });
  const [refund] = paid ? createdRefunds : [];
  if (refund) await submitRefund(refund);
  return null;
}
