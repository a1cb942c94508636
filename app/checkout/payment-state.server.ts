import type { Transaction } from "../db/client.server.ts";
import { now } from "../clock.ts";
import { logError } from "../http/errors.server.ts";
import { type Refusal, refused } from "../http/outcome.ts";
import type { Gateway, ProviderPayment } from "../payments/gateway.ts";
import { findProviderPayment, type ProviderState } from "../payments/gateway.server.ts";
import { parseBookingFields, holdExpiry } from "./create-payment.server.ts";
import { insertAppointment } from "../booking/book.server.ts";
import { activePayments, isForeign, mismatchOf, releaseAtProvider } from "./payment-match.server.ts";
import { transitionPayment, updatePayment, deleteHold, findPayment, type Payment } from "./payments.server.ts";
import { createRefund, type Refund, submitRefund } from "./refunds.server.ts";

/** A request that was cut off can still arrive at the provider; we give it up a second time, this long after we asked. */
const LATE_ARRIVAL_MS = 45_000;
const BOOKING_FAILED_REASON = "The appointment could not be booked after the payment.";
const WRONG_PAYMENT =
  "The card provider did not take the payment as we asked, so nothing is booked. Whatever was taken from your card goes back to it. Please try again.";

/**
 * Brings one payment as far as it can be brought just now: forward to booked and paid where the card was reserved for
 * it, else back until nothing is or will be charged. Safe to repeat from any state and by anyone (decisions §5.7).
 */
export async function advancePayment(gateway: Gateway, payment: Payment, deadline: AbortSignal): Promise<void> {
  const nextPayment = await advanceOnce(gateway, payment, deadline);
  if (nextPayment) await advancePayment(gateway, nextPayment, deadline);
}

/** One step; the payment as it is then, or null when it is at its end, or nothing more can be done now. */
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

/** Nothing shall be charged for this attempt: its time is free at once, the card as soon as the provider confirms. */
export function startVoiding(
  payment: Payment,
  changes: { refusal?: string; providerPaymentId?: string; mismatch?: string } = {},
) {
  return transitionPayment(payment, { state: "voiding", ...changes }, releasingHold(payment));
}

/**
 * The changes that mark a payment as not the one we asked for, and an alert in the log. Empty when `found` is ours.
 * The administrator is told by `paymentTroubles`.
 */
export function mismatchChanges(gateway: Gateway, payment: Payment, found: ProviderState) {
  const mismatch = mismatchOf(payment, found, gateway);
  if (!mismatch) return null;
  logError(`Payment ${payment.id}: ${mismatch}.`, "alert: the card provider reports a payment we did not ask for");
  return { mismatch, refusal: JSON.stringify(refused("providerFailed", WRONG_PAYMENT)) };
}

/** Books what was paid for in place of its hold, in one transaction; where that can't be, the attempt is given up. */
export async function bookForPayment(
  payment: Payment,
  hostedPayment?: ProviderPayment,
): Promise<{ payment: Payment | null; refusal: Refusal | null }> {
  const fields = parseBookingFields(payment);
  const isInPast = fields.appointmentDate <= now();
  let isCurrentVersion = true;
  const booked = isInPast
    ? null
    : await insertAppointment(
        fields,
        { userId: payment.userId, paymentMethod: "online", paymentId: payment.id },
        async (transaction) => {
          await deleteHold(transaction, payment.id);
          const changes = {
            state: "booked",
            ...(hostedPayment ? { providerPaymentId: hostedPayment.id } : {}),
          } as const;
          isCurrentVersion = await updatePayment(transaction, payment, changes);
          return isCurrentVersion ? null : { ok: false, reason: "conflict", message: BOOKING_FAILED_REASON };
        },
      );
  if (booked?.ok) return { payment: await findPayment({ id: payment.id }), refusal: null };
  if (!isCurrentVersion) return { payment: null, refusal: booked };
  const refusal = booked ? JSON.stringify(booked) : undefined;
  const nextPayment = hostedPayment
    ? await refundCapturedPayment(payment, hostedPayment, BOOKING_FAILED_REASON)
    : await startVoiding(payment, refusal ? { refusal } : {});
  return { payment: nextPayment, refusal: booked };
}

/** Charges what was reserved; `paid` is written only when the provider has said so. */
export async function capturePayment(
  gateway: Gateway,
  payment: Payment,
  deadline: AbortSignal,
): Promise<Payment | null> {
  const providerPaymentId = payment.providerPaymentId ?? "";
  const result = await gateway.capture(providerPaymentId, deadline);
  if (result.ok && result.value.status === "captured") return judgeCaptured(gateway, payment, result.value);
  if (!result.ok && result.kind !== "declined") return null;
  const found = await gateway.find(providerPaymentId, deadline);
  if (!found.ok) return null;
  if (found.value?.status === "captured") return judgeCaptured(gateway, payment, found.value);
  return found.value === null || found.value.status === "closed"
    ? cancelUnpaidAppointment(payment, { state: "voided" })
    : null;
}

function judgeCaptured(gateway: Gateway, payment: Payment, captured: ProviderPayment) {
  const mismatch = mismatchChanges(gateway, payment, { order: null, payments: [captured] });
  return mismatch ? cancelUnpaidAppointment(payment, { state: "voiding", ...mismatch }) : markPaid(payment);
}

function markPaid(payment: Payment) {
  const paidAt = now();
  const where = { id: payment.appointmentId ?? 0 };
  const data = { paymentStatus: "paid", paymentId: payment.providerPaymentId, paymentDate: paidAt };
  const before = (transaction: Transaction) => transaction.appointment.updateMany({ where, data });
  return transitionPayment(payment, { state: "paid", paidAt }, { before });
}

/** What was reserved is gone or is not ours, so nothing was paid: the appointment made for it ends, and says why. */
function cancelUnpaidAppointment(
  payment: Payment,
  changes: { state: "voided" } | { state: "voiding"; mismatch: string; refusal: string },
) {
  const where = { id: payment.appointmentId ?? 0 };
  const data = { status: "cancelled", paymentStatus: "failed" };
  const before = (transaction: Transaction) => transaction.appointment.updateMany({ where, data });
  return transitionPayment(payment, changes, { before });
}

async function voidAtProvider(gateway: Gateway, payment: Payment, deadline: AbortSignal): Promise<Payment | null> {
  if (!payment.providerPaymentId && payment.method === "card") {
    const cancelled = await gateway.cancelByKey(payment.key, deadline);
    // Our key is all we know, and now nothing stands behind it: done, once nothing can arrive late any more.
    if (cancelled.ok) return retryVoidLater(payment);
    if (cancelled.kind !== "declined") return null;
  }
  const found = await findProviderPayment(gateway, payment, deadline);
  if (!found.ok) return null;
  const active = activePayments(found.value);
  const [only] = active;
  const held = { ...found.value, payments: active };
  const isOurs = only && mismatchOf(payment, held, gateway) === null;
  // Only what is exactly our payment enters our own books as paid and refunded.
  if (isOurs && only.status === "captured") return refundCapturedPayment(payment, only, BOOKING_FAILED_REASON);
  const toRelease = active.filter((each) => !isForeign(payment, each));
  const released = await Promise.all(toRelease.map((each) => releaseAtProvider(gateway, payment, each, deadline)));
  if (!released.every(Boolean) || found.value.payments.some(({ status }) => status === "pending")) return null;
  const own = found.value.payments.find((each) => !isForeign(payment, each));
  return transitionPayment(payment, {
    state: "voided",
    ...(own && payment.method === "card" ? { providerPaymentId: own.id } : {}),
    ...(only && !payment.mismatch ? mismatchChanges(gateway, payment, held) : {}),
  });
}

async function retryVoidLater(payment: Payment): Promise<Payment | null> {
  const retryAt = new Date(payment.createdAt.getTime() + LATE_ARRIVAL_MS);
  if (retryAt <= now()) return transitionPayment(payment, { state: "voided" });
  await transitionPayment(payment, { leaseEndsAt: retryAt });
  return null;
}

/** Whether the family has paid on the provider's page. One that nobody wants any more is closed first, then looked at. */
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
  const active = activePayments(found.value);
  const [only] = active;
  const mismatch = only ? mismatchChanges(gateway, payment, { ...found.value, payments: active }) : null;
  if (mismatch) {
    // Closed first, so that nothing more is paid there while what was paid goes back.
    const closed = await gateway.closeCheckout(payment.checkoutId ?? "", deadline);
    return closed.ok ? startVoiding(payment, mismatch) : null;
  }
  if (only?.status === "captured") {
    if (isReplaced) return refundCapturedPayment(payment, only, "Paid on a page that the family had left for another.");
    return (await bookForPayment(payment, only)).payment;
  }
  if (!shouldClose || found.value.payments.some(({ status }) => status === "pending")) return null;
  if (only) return startVoiding(payment, { providerPaymentId: only.id });
  return transitionPayment(payment, { state: "voided" }, releasingHold(payment));
}

/** Charged, and nothing can be had for it: it is written down as paid and sent back in full. */
async function refundCapturedPayment(payment: Payment, { id }: ProviderPayment, reason: string): Promise<null> {
  const changes = { state: "paid", paidAt: now(), providerPaymentId: id } as const;
  const createdRefunds: (Refund | null)[] = [];
  const after = async (transaction: Transaction) => {
    createdRefunds.push(await createRefund(transaction, payment, { amountCents: payment.amountCents, reason }));
  };
  const [refund] = (await transitionPayment(payment, changes, { ...releasingHold(payment), after }))
    ? createdRefunds
    : [];
  if (refund) await submitRefund(refund);
  return null;
}

function releasingHold({ id }: Payment) {
  return { before: (transaction: Transaction) => deleteHold(transaction, id) };
}
