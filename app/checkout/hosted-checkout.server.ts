import type { Person } from "../accounts/person.ts";
import { createRateLimiter } from "../http/rate-limit.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { getPaymentGateway, createProviderDeadline } from "../payments/payment-gateway.server.ts";
import { env } from "../env.server.ts";
import { db } from "../db/database-client.server.ts";
import { PAYMENT_RETURN_PATH } from "../booking/appointment-paths.ts";
import { computePaymentHoldExpiry, createPaymentWithHold } from "./create-payment.server.ts";
import {
  failPaymentAttempt,
  consumePaymentAttempt,
  CARD_NOT_OFFERED_MESSAGE,
  checkBookingBeforePayment,
} from "./payment-attempt.server.ts";
import { refreshPaymentFromProvider } from "./payment-webhook.server.ts";
import { markCheckoutOpen } from "./payment-transitions.server.ts";
import { findPayment, type Payment } from "./find-payment.server.ts";
import type { BookingValues } from "../booking/booking-schemas.ts";

const returnLimiter = createRateLimiter("payment-return", 10, 60, "process");

/**
 * Holds the slot and creates a page at the provider where the family pays without our scripts. The page redirects to
 * PAYMENT_RETURN_PATH and expires with the hold. Refusals: those of payByCard.
 */
export async function startHostedPayment(person: Person, fields: BookingValues, ip: string): Promise<Outcome<Payment>> {
  const gateway = await getPaymentGateway();
  if (!gateway) return refused("unavailable", CARD_NOT_OFFERED_MESSAGE);
  const refusal = (await consumePaymentAttempt(person, ip)) ?? (await checkBookingBeforePayment(person, fields));
  if (refusal) return refusal;
  const created = await createPaymentWithHold(person, gateway.name, { method: "hosted", fields, ip });
  if (!created.ok) return created;
  const { id, key, amountCents, createdAt } = created.value;
  const returnTo = `${env.origin}${PAYMENT_RETURN_PATH}?payment=${id}`;
  const checkout = await gateway.openCheckout({ key, amountCents, returnTo }, createProviderDeadline());
  if (!checkout.ok) return failPaymentAttempt(gateway, created.value, checkout);
  const openPayment = await markCheckoutOpen(created.value, checkout.value, computePaymentHoldExpiry(createdAt));
  return openPayment ? accepted(openPayment) : refused("conflict", "This payment didn't finish. Please try again.");
}

/** Finds the person's latest open page at the provider, or null. `amountCents` is US cents. */
export function findOpenCheckout(person: Person) {
  return db.payment.findFirst({
    where: { userId: person.id, state: "waiting" },
    orderBy: { id: "desc" },
    select: { id: true, checkoutUrl: true, amountCents: true, createdAt: true },
  });
}

/**
 * Whether this payment's page at the provider was replaced: the family booked or started something else, or its account
 * was closed.
 */
export async function isReplacedCheckout({ id }: Payment): Promise<boolean> {
  return (await db.paymentTransition.count({ where: { paymentId: id, state: "closing" } })) > 0;
}

/**
 * Returns the person's own hosted payment after a return from the provider; null for another family's. Refreshes it
 * from the provider at most ten times a minute. Beyond that limit it returns the stored state, and the webhook and the
 * reconciler continue.
 */
export async function refreshPaymentAfterRedirect(person: Person, id: number | null): Promise<Payment | null> {
  const gateway = await getPaymentGateway();
  const payment = id === null ? null : await findPayment({ id });
  if (!payment || payment.userId !== person.id || payment.method !== "hosted") return null;
  const shouldRefresh = gateway?.name === payment.provider && !(await returnLimiter.consume(String(person.id)));
  if (shouldRefresh) await refreshPaymentFromProvider(gateway, payment);
  return findPayment({ id: payment.id });
}
