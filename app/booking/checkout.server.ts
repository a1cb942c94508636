import type { Person } from "../accounts/person.ts";
import { rateLimit, networkLimit } from "../http/limits.server.ts";
import { accepted, invalid, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { hasIntakeForm } from "../intake/intake.server.ts";
import { declinedCardWords } from "../payments/declined-card.ts";
import type { Gateway, Trouble } from "../payments/gateway.ts";
import { findGateway, providerDeadline } from "../payments/gateway.server.ts";
import { type Appointment, readAppointment } from "./appointments.server.ts";
import { findRepeated, fingerprint, startAttempt } from "./attempts.server.ts";
import { INTAKE_FIRST, whyNotFree } from "./book.server.ts";
import { isForeign } from "./payment-match.server.ts";
import { advance, endHold, findPayment, type Payment, UNFINISHED } from "./payments.server.ts";
import { dollars } from "./money.ts";
import { priceInCents } from "./prices.ts";
import { bookAttempt, capture, giveUp, mismatchChanges } from "./settle.server.ts";
import { settleSoon } from "./reconcile.server.ts";
import type { BookingFields } from "./shapes.ts";

const HOUR = 60 * 60;
/** Somebody who tries out cards that are not theirs needs many tries, and makes more accounts when one is stopped. */
const attemptsByAccount = rateLimit("payment-account", 20, HOUR);
const attemptsByAddress = networkLimit("payment-address", 20, HOUR);

export const NOT_OFFERED = "Card payment is not offered. Please choose to pay in person.";
const UNKNOWN_YET =
  "We don't know yet whether the payment went through. Look at your appointments in a minute before you try again: you are charged once, or not at all.";
const BROKEN_OFF = "This payment was broken off. Your card was not charged. Please try again.";
const PATIENCE_MS = 25_000;
const LOOK_AGAIN_MS = 100;

/** Counts one attempt to pay, by card or on a hosted page, for the account and for the client's address over all accounts. */
export async function countAttempt(person: Person, address: string): Promise<Refusal | null> {
  return (await attemptsByAccount.consume(String(person.id))) ?? attemptsByAddress.consume(address);
}

export type CardOrder = {
  sourceId: string;
  /** US dollars, as the caller was shown them. */
  amount: number;
  fields: BookingFields;
  idempotencyKey?: string;
};

export type Paid = { paymentId: string; amountCents: number; appointment: Appointment };

/**
 * Holds the time, reserves the price on the card, books, and charges (decisions §5.7). The price is the server's own.
 * Refusals: invalid (fields, price, intake form, a key used for something else), conflict (time taken, or another
 * payment of the family's for it in flight), declined, providerFailed, providerSilent, tooMany (20 an hour for the account
 * and for the client's `address`), unavailable.
 */
export async function payByCard(person: Person, order: CardOrder, address: string): Promise<Outcome<Paid>> {
  const gateway = await findGateway();
  if (!gateway) return refused("unavailable", NOT_OFFERED);
  const wrong = wrongAmount(order.amount, order.fields.title);
  if (wrong) return wrong;
  const { fields, idempotencyKey: callerKey } = order;
  const earlier = await findRepeated(person, callerKey, order);
  if (!earlier.ok) return earlier;
  if (earlier.value) return answerOf(earlier.value);
  const asked = fingerprint(order);
  const refusal = (await countAttempt(person, address)) ?? (await whyNotPay(person, fields));
  const started = refusal ?? (await startAttempt(person, gateway.name, { method: "card", fields, callerKey, asked }));
  if (started.ok) return carryOut(gateway, started.value, order.sourceId);
  // The same payment may have begun meanwhile: then it is what stands in its own way.
  const twin = await findRepeated(person, callerKey, order);
  return twin.ok && twin.value ? answerOf(twin.value) : started;
}

/** Everything that must hold before a time is held and a provider is asked. */
export async function whyNotPay(person: Person, fields: BookingFields): Promise<Refusal | null> {
  if (!(await hasIntakeForm(person))) return refused("invalid", INTAKE_FIRST);
  return whyNotFree(fields, person.id);
}

async function carryOut(gateway: Gateway, attempt: Payment, sourceId: string): Promise<Outcome<Paid>> {
  const deadline = providerDeadline();
  const { key, amountCents } = attempt;
  const reserved = await gateway.authorize({ key, sourceId, amountCents }, deadline);
  if (!reserved.ok) return afterTrouble(gateway, attempt, reserved);
  const { id: providerPaymentId, status } = reserved.value;
  const mismatch = mismatchChanges(gateway, attempt, { order: null, payments: [reserved.value] });
  if (mismatch || status !== "approved") {
    const known = isForeign(attempt, reserved.value) ? {} : { providerPaymentId };
    return lettingGo(gateway, attempt, refused("providerFailed", BROKEN_OFF), { ...mismatch, ...known });
  }
  const authorized = await advance(attempt, { state: "authorized", providerPaymentId });
  const { payment, refusal } = authorized ? await bookAttempt(authorized) : { payment: null, refusal: null };
  if (refusal) {
    if (payment) settleSoon(gateway, payment);
    return refusal;
  }
  const charged = payment?.state === "booked" ? await capture(gateway, payment, deadline) : null;
  if (charged?.state === "voiding") settleSoon(gateway, charged);
  return charged ? answerOf(charged) : later(gateway, attempt);
}

/** The provider said no: the time is free again. It said nothing certain: what it may have done is undone first. */
export async function afterTrouble(
  gateway: Gateway,
  attempt: Payment,
  { kind, detail, code }: Trouble,
): Promise<Refusal> {
  if (kind === "declined" || kind === "refused") {
    const refusal =
      kind === "declined"
        ? refused("declined", declinedCardWords({ detail, code }))
        : refused("providerFailed", "The card provider could not take the payment. Your card was not charged.");
    const changes = { state: "declined", refusal: JSON.stringify(refusal) } as const;
    await advance(attempt, changes, { before: (transaction) => endHold(transaction, attempt.id) });
    return refusal;
  }
  const silent = refused("providerSilent", `The card provider did not answer in time. ${BROKEN_OFF}`);
  const failed = refused("providerFailed", `The card provider is not available just now. ${BROKEN_OFF}`);
  return lettingGo(gateway, attempt, kind === "silent" ? silent : failed);
}

async function lettingGo(
  gateway: Gateway,
  attempt: Payment,
  refusal: Refusal,
  changes: { providerPaymentId?: string; mismatch?: string } = {},
): Promise<Refusal> {
  const undone = await giveUp(attempt, { ...changes, refusal: JSON.stringify(refusal) });
  if (undone) settleSoon(gateway, undone);
  return refusal;
}

async function later(gateway: Gateway, attempt: Payment): Promise<Refusal> {
  const current = await findPayment({ id: attempt.id });
  if (current) settleSoon(gateway, current);
  return refused("providerSilent", UNKNOWN_YET);
}

/** The answer that an attempt has, or will have once whoever is at work on it is done. */
export async function answerOf(attempt: Payment): Promise<Outcome<Paid>> {
  const latest = performance.now() + PATIENCE_MS;
  let payment: Payment | null = attempt;
  while (payment && UNFINISHED.includes(payment.state) && payment.state !== "voiding" && performance.now() < latest) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    payment = await findPayment({ id: attempt.id });
  }
  if (payment?.refusal) return JSON.parse(payment.refusal) as Refusal;
  if (payment?.state === "paid" && payment.appointmentId !== null) {
    const appointment = await readAppointment(payment.appointmentId);
    return accepted({ paymentId: payment.providerPaymentId ?? "", amountCents: payment.amountCents, appointment });
  }
  if (payment && UNFINISHED.includes(payment.state)) return refused("providerSilent", UNKNOWN_YET);
  return refused("providerFailed", BROKEN_OFF);
}

/** The caller's dollars must be the server's price to the cent; anything else never reaches the provider. */
function wrongAmount(amount: number, title: string): Refusal | null {
  const cents = priceInCents(title);
  if (amount === cents / 100) return null;
  return invalid(
    "amount",
    `The price of this booking is ${dollars(cents)}. Please look at it again and pay that amount.`,
  );
}
