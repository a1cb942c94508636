import { DAY_SECONDS, HOUR_SECONDS } from "../duration.ts";
import { isNewAccount } from "../accounts/new-account.server.ts";
import type { Person } from "../accounts/person.ts";
import { rateLimit, networkLimit } from "../http/rate-limit.server.ts";
import { accepted, invalidField, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { hasIntakeForm } from "../intake/intake.server.ts";
import { declineMessage } from "../payments/decline-messages.ts";
import type { Gateway, GatewayError } from "../payments/gateway.ts";
import { getGateway, providerDeadline } from "../payments/gateway.server.ts";
import { type Appointment, getAppointmentUnchecked } from "../booking/appointments.server.ts";
import { findByIdempotencyKey, requestFingerprint, createPayment } from "./create-payment.server.ts";
import { INTAKE_REQUIRED, validateSlot } from "../booking/book.server.ts";
import { belongsToOtherPayment } from "./payment-match.server.ts";
import { markAuthorized, markDeclined, startVoiding, UNFINISHED_STATES } from "./payment-transitions.server.ts";
import { findPayment, type Payment } from "./find-payment.server.ts";
import { priceInCents } from "../booking/prices/service-catalog.ts";
import { bookForPayment, capturePayment, mismatchChanges } from "./advance-payment.server.ts";
import { advancePaymentInBackground } from "./reconciler.server.ts";
import type { BookingFields } from "../booking/schemas.ts";
import { formatCents } from "../ui/money.ts";

/** Against card testing: by account, and by network because an attacker makes further accounts. */
const attemptsByAccount = rateLimit("payment-account", 20, HOUR_SECONDS);
/** A family that mistypes its card is not refused for what others try. */
const dailyOwnAttempts = rateLimit("payment-own-day", 3, DAY_SECONDS);
/** The further ones of accounts whose first visit has not taken place. */
const attemptsByNetwork = networkLimit("payment-address", 20, HOUR_SECONDS);

export const CARD_NOT_OFFERED = "Card payment is not offered. Please choose to pay in person.";
const RESULT_UNKNOWN =
  "We don't know yet whether the payment went through. Look at your appointments in a minute before you try again: you are charged once, or not at all.";
const PAYMENT_ABORTED = "This payment didn't finish. Your card was not charged. Please try again.";
const RESULT_TIMEOUT_MS = 25_000;
const POLL_INTERVAL_MS = 100;

/**
 * Counts one payment attempt, by card or hosted page, for the account, and from the fourth in a day of a new account on
 * for the network of `ip`. Refusal: tooMany.
 */
export async function consumePaymentAttempt(person: Person, ip: string): Promise<Refusal | null> {
  const account = String(person.id);
  const ofAccount = await attemptsByAccount.consume(account);
  if (ofAccount) return ofAccount;
  const isBeyondOwn = (await dailyOwnAttempts.consume(account)) !== null;
  return isBeyondOwn && (await isNewAccount(person.id)) ? attemptsByNetwork.consume(ip) : null;
}

export type CardPaymentRequest = {
  sourceId: string;
  /** US dollars, as shown to the caller. */
  amount: number;
  fields: BookingFields;
  idempotencyKey?: string;
};

export type PaymentResult = { paymentId: string; amountCents: number; appointment: Appointment };

/**
 * Holds the slot, reserves the price on the card, books, and charges. The price is computed on the server. Refusals:
 * invalid (fields, price, intake form, reused key), conflict (slot taken, or the family's own payment for it in
 * flight), declined, providerFailed, providerTimeout (no response in time, or the result is unknown), tooMany (as
 * `consumePaymentAttempt` counts), unavailable. Source: docs/product.md, Paying online;
 * docs/decisions/0005.
 */
export async function payByCard(
  person: Person,
  request: CardPaymentRequest,
  address: string,
): Promise<Outcome<PaymentResult>> {
  const gateway = await getGateway();
  if (!gateway) return refused("unavailable", CARD_NOT_OFFERED);
  const amountRefusal = validateAmount(request.amount, request.fields.title);
  if (amountRefusal) return amountRefusal;
  const { fields, idempotencyKey } = request;
  const existing = await findByIdempotencyKey(person, idempotencyKey, request);
  if (!existing.ok) return existing;
  if (existing.value) return waitForResult(existing.value);
  const requestHash = requestFingerprint(request);
  const refusal = (await consumePaymentAttempt(person, address)) ?? (await bookingRefusal(person, fields));
  const attempt = { method: "card", fields, address, idempotencyKey, requestHash } as const;
  const created = refusal ?? (await createPayment(person, gateway.name, attempt));
  if (created.ok) return authorizeAndBook(gateway, created.value, request.sourceId);
  // A concurrent request with the same key may have created the payment that is now in conflict.
  const concurrent = await findByIdempotencyKey(person, idempotencyKey, request);
  return concurrent.ok && concurrent.value ? waitForResult(concurrent.value) : created;
}

/** Checks the intake form and the slot before anything is held or sent to the provider. */
export async function bookingRefusal(person: Person, fields: BookingFields): Promise<Refusal | null> {
  if (!(await hasIntakeForm(person))) return refused("invalid", INTAKE_REQUIRED);
  return validateSlot(fields, person.id);
}

async function authorizeAndBook(gateway: Gateway, attempt: Payment, sourceId: string): Promise<Outcome<PaymentResult>> {
  const deadline = providerDeadline();
  const { key, amountCents } = attempt;
  const authorization = await gateway.authorize({ key, sourceId, amountCents }, deadline);
  if (!authorization.ok) return handleGatewayError(gateway, attempt, authorization);
  const { id: providerPaymentId, status } = authorization.value;
  const mismatch = mismatchChanges(gateway, attempt, { order: null, payments: [authorization.value] });
  if (mismatch || status !== "approved") {
    const known = belongsToOtherPayment(attempt, authorization.value) ? {} : { providerPaymentId };
    return voidWithRefusal(gateway, attempt, refused("providerFailed", PAYMENT_ABORTED), { ...mismatch, ...known });
  }
  const authorized = await markAuthorized(attempt, providerPaymentId);
  const { payment, refusal } = authorized ? await bookForPayment(authorized) : { payment: null, refusal: null };
  if (refusal) {
    if (payment) advancePaymentInBackground(gateway, payment);
    return refusal;
  }
  const captured = payment?.state === "booked" ? await capturePayment(gateway, payment, deadline) : null;
  if (captured?.state === "voiding") advancePaymentInBackground(gateway, captured);
  return captured ? waitForResult(captured) : pendingResult(gateway, attempt);
}

/**
 * Ends an attempt after an error of the provider: declined when nothing was done for certain, else voiding. Returns the
 * refusal for the family.
 */
export async function handleGatewayError(
  gateway: Gateway,
  attempt: Payment,
  { kind, detail, code }: GatewayError,
): Promise<Refusal> {
  if (kind === "declined" || kind === "refused") {
    const refusal =
      kind === "declined"
        ? refused("declined", declineMessage({ detail, code }))
        : refused("providerFailed", "The card provider could not take the payment. Your card was not charged.");
    await markDeclined(attempt, refusal);
    return refusal;
  }
  const timedOut = refused("providerTimeout", `The card provider did not answer in time. ${PAYMENT_ABORTED}`);
  const failed = refused("providerFailed", `The card provider is not available just now. ${PAYMENT_ABORTED}`);
  return voidWithRefusal(gateway, attempt, kind === "timeout" ? timedOut : failed);
}

async function voidWithRefusal(
  gateway: Gateway,
  attempt: Payment,
  refusal: Refusal,
  changes: { providerPaymentId?: string; mismatch?: string } = {},
): Promise<Refusal> {
  const voiding = await startVoiding(attempt, { ...changes, refusal });
  if (voiding) advancePaymentInBackground(gateway, voiding);
  return refusal;
}

async function pendingResult(gateway: Gateway, attempt: Payment): Promise<Refusal> {
  const current = await findPayment({ id: attempt.id });
  if (current) advancePaymentInBackground(gateway, current);
  return refused("providerTimeout", RESULT_UNKNOWN);
}

/**
 * Waits up to 25 s until another worker has finished the payment, and returns its result. providerTimeout when it is
 * still unfinished.
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
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    payment = await findPayment({ id: attempt.id });
  }
  if (payment?.refusal) return JSON.parse(payment.refusal) as Refusal;
  if (payment?.state === "paid" && payment.appointmentId !== null) {
    const appointment = await getAppointmentUnchecked(payment.appointmentId);
    return accepted({ paymentId: payment.providerPaymentId ?? "", amountCents: payment.amountCents, appointment });
  }
  if (payment && UNFINISHED_STATES.includes(payment.state)) return refused("providerTimeout", RESULT_UNKNOWN);
  return refused("providerFailed", PAYMENT_ABORTED);
}

/** Refuses an amount that differs from the server's price in any cent. */
function validateAmount(amount: number, title: string): Refusal | null {
  const cents = priceInCents(title);
  if (amount === cents / 100) return null;
  return invalidField(
    "amount",
    `The price of this booking is ${formatCents(cents)}. Please look at it again and pay that amount.`,
  );
}
