import { setTimeout } from "node:timers/promises";
import type { Person } from "../accounts/person.ts";
import { type Appointment, getAppointmentUnchecked } from "../booking/find-appointment.server.ts";
import { priceInCents } from "../booking/prices/service-catalog.ts";
import type { BookingValues } from "../booking/booking-schemas.ts";
import { runWithSlotReleased } from "../http/fair-queue/fair-queue-middleware.server.ts";
import { accepted, invalidField, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import type { PaymentGateway } from "../payments/payment-gateway.ts";
import { getPaymentGateway, createProviderDeadline } from "../payments/payment-gateway.server.ts";
import { formatCents } from "../ui/format-currency.ts";
import { capturePayment } from "./advance-payment.server.ts";
import { bookOrReleasePayment } from "./book-or-release-payment.server.ts";
import { createPaymentWithHold, findPaymentByIdempotencyKey, hashPaymentRequest } from "./create-payment.server.ts";
import { findPayment, type Payment } from "./find-payment.server.ts";
import {
  checkBookingBeforePayment,
  CARD_NOT_OFFERED_MESSAGE,
  consumePaymentAttempt,
  failPaymentAttempt,
  PAYMENT_ABORTED_MESSAGE,
  voidAndRefuse,
} from "./payment-attempt.server.ts";
import { isForOtherPayment, detectAndLogMismatch } from "./payment-mismatch.server.ts";
import { markAuthorized, UNFINISHED_STATES } from "./payment-transitions.server.ts";
import { advancePaymentInBackground } from "./reconciler.server.ts";

const RESULT_UNKNOWN_MESSAGE =
  "We don't know yet whether the payment went through. Look at your appointments in a minute before you try again: you are charged once, or not at all.";
const RESULT_TIMEOUT_MS = 25_000;
const POLL_INTERVAL_MS = 100;

export type CardPaymentRequest = {
  sourceId: string;
  /** US dollars, as shown to the caller. */
  amount: number;
  fields: BookingValues;
  idempotencyKey?: string;
};

export type PaymentResult = { paymentId: string; amountCents: number; appointment: Appointment };

/**
 * Holds the slot, authorizes the price on the card, books, and captures the payment. The price is computed on the
 * server. Refusals: invalid (fields, price, intake form, reused key), conflict (slot taken, or the family's own payment
 * for it in flight), declined, providerFailed, providerTimeout (no response in time, or the result is unknown), tooMany
 * (limits of `consumePaymentAttempt`), unavailable. Source: docs/product.md, Paying online; docs/decisions/0005.
 */
export async function payByCard(
  person: Person,
  request: CardPaymentRequest,
  ip: string,
): Promise<Outcome<PaymentResult>> {
  const gateway = await getPaymentGateway();
  if (!gateway) return refused("unavailable", CARD_NOT_OFFERED_MESSAGE);
  const amountRefusal = checkAmount(request.amount, request.fields.title);
  if (amountRefusal) return amountRefusal;
  const { fields, idempotencyKey } = request;
  const existing = await findPaymentByIdempotencyKey(person, idempotencyKey, request);
  if (!existing.ok) return existing;
  if (existing.value) return waitForResult(existing.value);
  const requestHash = hashPaymentRequest(request);
  const refusal = (await consumePaymentAttempt(person, ip)) ?? (await checkBookingBeforePayment(person, fields));
  const attempt = { method: "card", fields, ip, idempotencyKey, requestHash } as const;
  const created = refusal ?? (await createPaymentWithHold(person, gateway.name, attempt));
  if (created.ok) return authorizeAndBook(gateway, created.value, request.sourceId);
  // A concurrent request with the same key may have created the payment that is now in conflict.
  const concurrent = await findPaymentByIdempotencyKey(person, idempotencyKey, request);
  return concurrent.ok && concurrent.value ? waitForResult(concurrent.value) : created;
}

async function authorizeAndBook(
  gateway: PaymentGateway,
  attempt: Payment,
  sourceId: string,
): Promise<Outcome<PaymentResult>> {
  const deadline = createProviderDeadline();
  const { key, amountCents } = attempt;
  const authorization = await gateway.authorize({ key, sourceId, amountCents }, deadline);
  if (!authorization.ok) return failPaymentAttempt(gateway, attempt, authorization);
  const { id: providerPaymentId, status } = authorization.value;
  const mismatch = detectAndLogMismatch(gateway, attempt, { order: null, payments: [authorization.value] });
  if (mismatch || status !== "approved") {
    const providerFields = isForOtherPayment(attempt, authorization.value) ? {} : { providerPaymentId };
    return voidAndRefuse(gateway, attempt, refused("providerFailed", PAYMENT_ABORTED_MESSAGE), {
      ...mismatch,
      ...providerFields,
    });
  }
  const authorized = await markAuthorized(attempt, providerPaymentId);
  const { payment, refusal } = authorized ? await bookOrReleasePayment(authorized) : { payment: null, refusal: null };
  if (refusal) {
    if (payment) advancePaymentInBackground(gateway, payment);
    return refusal;
  }
  const captured = payment?.state === "booked" ? await capturePayment(gateway, payment, deadline) : null;
  if (captured?.state === "voiding") advancePaymentInBackground(gateway, captured);
  return captured ? waitForResult(captured) : advanceInBackgroundAndRefuse(gateway, attempt);
}

async function advanceInBackgroundAndRefuse(gateway: PaymentGateway, attempt: Payment): Promise<Refusal> {
  const current = await findPayment({ id: attempt.id });
  if (current) advancePaymentInBackground(gateway, current);
  return refused("providerTimeout", RESULT_UNKNOWN_MESSAGE);
}

/**
 * Waits up to 25 s until another worker has finished the payment, and returns its result. Refusal: providerTimeout when
 * it is still unfinished.
 */
export async function waitForResult(attempt: Payment): Promise<Outcome<PaymentResult>> {
  const timeoutAt = performance.now() + RESULT_TIMEOUT_MS;
  let payment: Payment | null = attempt;
  while (
    payment &&
    UNFINISHED_STATES.includes(payment.state) &&
    payment.state !== "voiding" &&
    performance.now() < timeoutAt
  ) {
    await runWithSlotReleased(() => setTimeout(POLL_INTERVAL_MS));
    payment = await findPayment({ id: attempt.id });
  }
  if (payment?.refusal) return JSON.parse(payment.refusal) as Refusal;
  if (payment?.state === "paid" && payment.appointmentId !== null) {
    const appointment = await getAppointmentUnchecked(payment.appointmentId);
    return accepted({ paymentId: payment.providerPaymentId ?? "", amountCents: payment.amountCents, appointment });
  }
  if (payment && UNFINISHED_STATES.includes(payment.state)) return refused("providerTimeout", RESULT_UNKNOWN_MESSAGE);
  return refused("providerFailed", PAYMENT_ABORTED_MESSAGE);
}

/** Refuses an amount that differs from the server's price. */
function checkAmount(amount: number, title: string): Refusal | null {
  const cents = priceInCents(title);
  if (amount === cents / 100) return null;
  return invalidField(
    "amount",
    `The price of this visit is ${formatCents(cents)}. Please look at it again and pay that amount.`,
  );
}
