import type { Person } from "../accounts/person.ts";
import { rateLimit } from "../http/limits.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { findGateway, providerDeadline } from "../payments/gateway.server.ts";
import { env } from "../env.server.ts";
import { db } from "../db.server.ts";
import { RETURN } from "./addresses.ts";
import { holdEnd, startAttempt } from "./attempts.server.ts";
import { afterTrouble, countAttempt, NOT_OFFERED, whyNotPay } from "./checkout.server.ts";
import { lookAgain } from "./events.server.ts";
import { advance, findPayment, type Payment } from "./payments.server.ts";
import type { BookingFields } from "./shapes.ts";

const returns = rateLimit("payment-return", 10, 60);

/**
 * Holds the time and makes a page at the provider where the family pays without our scripts; it comes back to `RETURN`.
 * Refusals as for a card. The page closes with the hold.
 */
export async function openHostedPage(
  person: Person,
  fields: BookingFields,
  address: string,
): Promise<Outcome<Payment>> {
  const gateway = await findGateway();
  if (!gateway) return refused("unavailable", NOT_OFFERED);
  const refusal = (await countAttempt(person, address)) ?? (await whyNotPay(person, fields));
  if (refusal) return refusal;
  const started = await startAttempt(person, gateway.name, { method: "hosted", fields });
  if (!started.ok) return started;
  const { id, key, amountCents, createdAt } = started.value;
  const returnTo = `${env.origin}${RETURN}?payment=${id}`;
  const opened = await gateway.openCheckout({ key, amountCents, returnTo }, providerDeadline());
  if (!opened.ok) return afterTrouble(gateway, started.value, opened);
  const { id: checkoutId, url: checkoutUrl, orderId } = opened.value;
  const changes = { state: "waiting", checkoutId, checkoutUrl, orderId, leaseEndsAt: holdEnd(createdAt) } as const;
  const waiting = await advance(started.value, changes);
  return waiting ? accepted(waiting) : refused("conflict", "This payment was broken off. Please try again.");
}

/** The provider's page that this family has open, or null. */
export function findOpenPage(person: Person) {
  return db.payment.findFirst({
    where: { userId: person.id, state: "waiting" },
    orderBy: { id: "desc" },
    select: { id: true, checkoutUrl: true, amountCents: true },
  });
}

/**
 * What became of a family's own payment at the provider's page, after asking there once more; null for another's. Whoever
 * asks more than ten times a minute is told what is known here: the provider's own message, and the reconciler, go on.
 */
export async function returnedPayment(person: Person, id: number | null): Promise<Payment | null> {
  const gateway = await findGateway();
  const payment = id === null ? null : await findPayment({ id });
  if (!payment || payment.userId !== person.id || payment.method !== "hosted") return null;
  const isAsked = gateway?.name === payment.provider && !(await returns.consume(String(person.id)));
  if (isAsked) await lookAgain(gateway, payment);
  return findPayment({ id: payment.id });
}
