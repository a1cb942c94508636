import { now } from "../clock.ts";
import { logError } from "../http/failure.server.ts";
import { type Refusal, refused } from "../http/outcome.ts";
import type { Gateway, ProviderPayment } from "../payments/gateway.ts";
import { look, type ProviderState } from "../payments/gateway.server.ts";
import { bookingOf, holdEnd } from "./attempts.server.ts";
import { place } from "./book.server.ts";
import { activePayments, isForeign, mismatchOf, releaseAtProvider } from "./payment-match.server.ts";
import { advance, changePayment, endHold, findPayment, type Payment, type Transaction } from "./payments.server.ts";
import { askRefund, type Refund, sendRefund } from "./refunds.server.ts";

/** A request that was cut off can still arrive at the provider; we give it up a second time, this long after we asked. */
const LATE_ARRIVAL_MS = 45_000;
const PROVIDER_FAULT = "The appointment could not be booked after the payment.";
const WRONG_PAYMENT =
  "The card provider did not take the payment as we asked, so nothing is booked. Whatever was taken from your card goes back to it. Please try again.";

/**
 * Brings one payment as far as it can be brought just now: forward to booked and paid where the card was reserved for
 * it, else back until nothing is or will be charged. Safe to repeat from any state and by anyone (decisions §5.7).
 */
export async function settle(gateway: Gateway, payment: Payment, deadline: AbortSignal): Promise<void> {
  const next = await step(gateway, payment, deadline);
  if (next) await settle(gateway, next, deadline);
}

/** One step; the payment as it is then, or null when it is at its end, or nothing more can be done now. */
async function step(gateway: Gateway, payment: Payment, deadline: AbortSignal): Promise<Payment | null> {
  switch (payment.state) {
    case "started":
      return giveUp(payment);
    case "authorized":
      return (await bookAttempt(payment)).payment;
    case "booked":
      return capture(gateway, payment, deadline);
    case "voiding":
      return undo(gateway, payment, deadline);
    case "waiting":
    case "closing":
      return settleCheckout(gateway, payment, deadline);
    default:
      return null;
  }
}

/** Nothing shall be charged for this attempt: its time is free at once, the card as soon as the provider confirms. */
export function giveUp(
  payment: Payment,
  changes: { refusal?: string; providerPaymentId?: string; mismatch?: string } = {},
) {
  return advance(payment, { state: "voiding", ...changes }, withoutHold(payment));
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
export async function bookAttempt(
  payment: Payment,
  paidHere?: ProviderPayment,
): Promise<{ payment: Payment | null; refusal: Refusal | null }> {
  const fields = bookingOf(payment);
  const isLate = fields.appointmentDate <= now();
  let isOurs = true;
  const booked = isLate
    ? null
    : await place(
        fields,
        { userId: payment.userId, paymentMethod: "online", paymentId: payment.id },
        async (transaction) => {
          await endHold(transaction, payment.id);
          const changes = { state: "booked", ...(paidHere ? { providerPaymentId: paidHere.id } : {}) } as const;
          isOurs = await changePayment(transaction, payment, changes);
          return isOurs ? null : { ok: false, reason: "conflict", message: PROVIDER_FAULT };
        },
      );
  if (booked?.ok) return { payment: await findPayment({ id: payment.id }), refusal: null };
  if (!isOurs) return { payment: null, refusal: booked };
  const refusal = booked ? JSON.stringify(booked) : undefined;
  const next = paidHere
    ? await giveBack(payment, paidHere, PROVIDER_FAULT)
    : await giveUp(payment, refusal ? { refusal } : {});
  return { payment: next, refusal: booked };
}

/** Charges what was reserved; `paid` is written only when the provider has said so. */
export async function capture(gateway: Gateway, payment: Payment, deadline: AbortSignal): Promise<Payment | null> {
  const id = payment.providerPaymentId ?? "";
  const answer = await gateway.capture(id, deadline);
  if (answer.ok && answer.value.status === "captured") return judgeCaptured(gateway, payment, answer.value);
  if (!answer.ok && answer.kind !== "declined") return null;
  const found = await gateway.find(id, deadline);
  if (!found.ok) return null;
  if (found.value?.status === "captured") return judgeCaptured(gateway, payment, found.value);
  return found.value === null || found.value.status === "closed" ? unbook(payment, { state: "voided" }) : null;
}

function judgeCaptured(gateway: Gateway, payment: Payment, captured: ProviderPayment) {
  const mismatch = mismatchChanges(gateway, payment, { order: null, payments: [captured] });
  return mismatch ? unbook(payment, { state: "voiding", ...mismatch }) : markPaid(payment);
}

function markPaid(payment: Payment) {
  const paidAt = now();
  const where = { id: payment.appointmentId ?? 0 };
  const data = { paymentStatus: "paid", paymentId: payment.providerPaymentId, paymentDate: paidAt };
  const before = (transaction: Transaction) => transaction.appointment.updateMany({ where, data });
  return advance(payment, { state: "paid", paidAt }, { before });
}

/** What was reserved is gone or is not ours, so nothing was paid: the appointment made for it ends, and says why. */
function unbook(
  payment: Payment,
  changes: { state: "voided" } | { state: "voiding"; mismatch: string; refusal: string },
) {
  const where = { id: payment.appointmentId ?? 0 };
  const data = { status: "cancelled", paymentStatus: "failed" };
  const before = (transaction: Transaction) => transaction.appointment.updateMany({ where, data });
  return advance(payment, changes, { before });
}

async function undo(gateway: Gateway, payment: Payment, deadline: AbortSignal): Promise<Payment | null> {
  if (!payment.providerPaymentId && payment.method === "card") {
    const cancelled = await gateway.cancelByKey(payment.key, deadline);
    // Our key is all we know, and now nothing stands behind it: done, once nothing can arrive late any more.
    if (cancelled.ok) return again(payment);
    if (cancelled.kind !== "declined") return null;
  }
  const found = await look(gateway, payment, deadline);
  if (!found.ok) return null;
  const active = activePayments(found.value);
  const [only] = active;
  const held = { ...found.value, payments: active };
  const isOurs = only && mismatchOf(payment, held, gateway) === null;
  // Only what is exactly our payment enters our own books as paid and refunded.
  if (isOurs && only.status === "captured") return giveBack(payment, only, PROVIDER_FAULT);
  const toRelease = active.filter((each) => !isForeign(payment, each));
  const released = await Promise.all(toRelease.map((each) => releaseAtProvider(gateway, payment, each, deadline)));
  if (!released.every(Boolean) || found.value.payments.some(({ status }) => status === "pending")) return null;
  const own = found.value.payments.find((each) => !isForeign(payment, each));
  return advance(payment, {
    state: "voided",
    ...(own && payment.method === "card" ? { providerPaymentId: own.id } : {}),
    ...(only && !payment.mismatch ? mismatchChanges(gateway, payment, held) : {}),
  });
}

async function again(payment: Payment): Promise<Payment | null> {
  const lookAt = new Date(payment.createdAt.getTime() + LATE_ARRIVAL_MS);
  if (lookAt <= now()) return advance(payment, { state: "voided" });
  await advance(payment, { leaseEndsAt: lookAt });
  return null;
}

/** Whether the family has paid on the provider's page. One that nobody wants any more is closed first, then looked at. */
async function settleCheckout(gateway: Gateway, payment: Payment, deadline: AbortSignal): Promise<Payment | null> {
  const isUnwanted = payment.state === "closing";
  const isOver = isUnwanted || holdEnd(payment.createdAt) <= now();
  if (isOver) {
    const closed = await gateway.closeCheckout(payment.checkoutId ?? "", deadline);
    if (!closed.ok) return null;
  }
  const found = await look(gateway, payment, deadline);
  if (!found.ok) return null;
  const active = activePayments(found.value);
  const [only] = active;
  const mismatch = only ? mismatchChanges(gateway, payment, { ...found.value, payments: active }) : null;
  if (mismatch) {
    // Closed first, so that nothing more is paid there while what was paid goes back.
    const closed = await gateway.closeCheckout(payment.checkoutId ?? "", deadline);
    return closed.ok ? giveUp(payment, mismatch) : null;
  }
  if (only?.status === "captured") {
    if (isUnwanted) return giveBack(payment, only, "Paid on a page that the family had left for another.");
    return (await bookAttempt(payment, only)).payment;
  }
  if (!isOver || found.value.payments.some(({ status }) => status === "pending")) return null;
  if (only) return giveUp(payment, { providerPaymentId: only.id });
  return advance(payment, { state: "voided" }, withoutHold(payment));
}

/** Charged, and nothing can be had for it: it is written down as paid and sent back in full. */
async function giveBack(payment: Payment, { id }: ProviderPayment, reason: string): Promise<null> {
  const changes = { state: "paid", paidAt: now(), providerPaymentId: id } as const;
  const asked: (Refund | null)[] = [];
  const after = async (transaction: Transaction) => {
    asked.push(await askRefund(transaction, payment, { amountCents: payment.amountCents, reason }));
  };
  const [refund] = (await advance(payment, changes, { ...withoutHold(payment), after })) ? asked : [];
  if (refund) await sendRefund(refund);
  return null;
}

function withoutHold({ id }: Payment) {
  return { before: (transaction: Transaction) => endHold(transaction, id) };
}
