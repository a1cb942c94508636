import { isNewAccount } from "../accounts/new-account.server.ts";
import type { Person } from "../accounts/person.ts";
import { INTAKE_REQUIRED_MESSAGE, checkSlot } from "../booking/book-appointment.server.ts";
import type { BookingValues } from "../booking/booking-schemas.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../time-units.ts";
import { type Refusal, refused } from "../http/outcome.ts";
import { createNetworkLimiter, createRateLimiter } from "../http/rate-limit.server.ts";
import { hasSubmittedIntakeForm } from "../intake/intake-forms.server.ts";
import { getDeclineMessage } from "../payments/decline-messages.ts";
import type { PaymentGateway, GatewayError } from "../payments/payment-gateway.ts";
import type { Payment } from "./find-payment.server.ts";
import { markDeclined, startVoiding } from "./payment-transitions.server.ts";
import { advancePaymentInBackground } from "./reconciler.server.ts";

/* Shared by card payments and hosted payments, before there is a result. */

/** Protects against card testing. Limited by account, and by network because an attacker can create more accounts. */
const accountAttemptLimiter = createRateLimiter("payment-account", 20, HOUR_SECONDS);
/**
 * The first three attempts a day don't count for the network, so that a family that mistypes its card is not refused
 * because of others.
 */
const dailyOwnAttemptLimiter = createRateLimiter("payment-own-day", 3, DAY_SECONDS);
/** Limits the further attempts of accounts whose first visit has not taken place yet. */
const networkPaymentAttemptLimiter = createNetworkLimiter("payment-address", 20, HOUR_SECONDS);

export const CARD_NOT_OFFERED_MESSAGE = "Card payment is not offered. Please choose to pay in person.";
export const PAYMENT_ABORTED_MESSAGE = "This payment didn't finish. Your card was not charged. Please try again.";

/**
 * Counts one payment attempt, by card or hosted page, for the account. From the fourth attempt in a day of a new
 * account, also counts it for the network of `ip`. Refusal: tooMany.
 */
export async function consumePaymentAttempt(person: Person, ip: string): Promise<Refusal | null> {
  const account = String(person.id);
  const accountRefusal = await accountAttemptLimiter.consume(account);
  if (accountRefusal) return accountRefusal;
  const isOverOwnDailyLimit = (await dailyOwnAttemptLimiter.consume(account)) !== null;
  return isOverOwnDailyLimit && (await isNewAccount(person.id)) ? networkPaymentAttemptLimiter.consume(ip) : null;
}

/** Checks the intake form and the slot before the slot is held or the provider is called. */
export async function checkBookingBeforePayment(person: Person, fields: BookingValues): Promise<Refusal | null> {
  if (!(await hasSubmittedIntakeForm(person))) return refused("invalid", INTAKE_REQUIRED_MESSAGE);
  return checkSlot(fields, person.id);
}

/**
 * Ends the attempt after a provider error: marks it declined if the card was certainly not charged, otherwise starts
 * voiding it. Returns the refusal for the family.
 */
export async function failPaymentAttempt(
  gateway: PaymentGateway,
  attempt: Payment,
  { kind, detail, code }: GatewayError,
): Promise<Refusal> {
  if (kind === "declined" || kind === "refused") {
    const refusal =
      kind === "declined"
        ? refused("declined", getDeclineMessage({ detail, code }))
        : refused("providerFailed", "The card provider could not take the payment. Your card was not charged.");
    await markDeclined(attempt, refusal);
    return refusal;
  }
  const timeoutRefusal = refused(
    "providerTimeout",
    `The card provider did not answer in time. ${PAYMENT_ABORTED_MESSAGE}`,
  );
  const failureRefusal = refused(
    "providerFailed",
    `The card provider is not available just now. ${PAYMENT_ABORTED_MESSAGE}`,
  );
  return voidAndRefuse(gateway, attempt, kind === "timeout" ? timeoutRefusal : failureRefusal);
}

/**
 * Starts to void an attempt that may have reached the provider, which goes on in the background, and stores `refusal`
 * as its result. Returns `refusal`.
 */
export async function voidAndRefuse(
  gateway: PaymentGateway,
  attempt: Payment,
  refusal: Refusal,
  changes: { providerPaymentId?: string; mismatch?: string } = {},
): Promise<Refusal> {
  const voiding = await startVoiding(attempt, { ...changes, refusal });
  if (voiding) advancePaymentInBackground(gateway, voiding);
  return refusal;
}
