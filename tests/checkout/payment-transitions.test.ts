// Proves that a payment's state changes only by legal transitions, in the code and in the database.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { isLegalTransition, PAYMENT_STATES } from "../../app/checkout/payment-states.ts";
import { db } from "../support/site.ts";

const PAIRS = PAYMENT_STATES.flatMap((from) => PAYMENT_STATES.map((to) => [from, to] as const));

const createPayment = (state: string, more: { method?: string; provider?: string; refundedCents?: number } = {}) =>
  db.payment.create({
    data: {
      method: "card",
      key: randomUUID(),
      booking: "{}",
      amountCents: 7500,
      state,
      leaseEndsAt: new Date(),
      ...more,
    },
  });

const isAccepted = (change: Promise<unknown>) =>
  change.then(
    () => true,
    (error: unknown) => {
      if (!JSON.stringify((error as { meta?: unknown }).meta).includes("payments_transition")) throw error;
      return false;
    },
  );

test("the database accepts each legal state transition and rejects every other", async () => {
  const accepted: string[] = [];
  for (const [from, to] of PAIRS) {
    const { id } = await createPayment(from);
    const isTaken = await isAccepted(db.payment.update({ where: { id }, data: { state: to } }));
    expect(await db.payment.findUnique({ where: { id } })).toMatchObject({ state: isTaken ? to : from });
    if (isTaken) accepted.push(`${from} → ${to}`);
  }
  const legal = PAIRS.filter(([from, to]) => from === to || isLegalTransition(from, to));
  expect(accepted).toEqual(legal.map(([from, to]) => `${from} → ${to}`));
});

test("the database lets a paid payment be voided only if it was in person and nothing of it was refunded", async () => {
  const refused = [
    { method: "card" },
    { method: "hosted" },
    { method: "cash", refundedCents: 1 },
    { method: "cash", provider: "square" },
  ];
  for (const more of refused) {
    const { id } = await createPayment("paid", more);
    expect(await isAccepted(db.payment.update({ where: { id }, data: { state: "voided" } }))).toBe(false);
  }
  for (const method of ["cash", "check", "other"]) {
    const { id } = await createPayment("paid", { method });
    for (const state of PAYMENT_STATES.filter((to) => !["paid", "voided"].includes(to)))
      expect(await isAccepted(db.payment.update({ where: { id }, data: { state } }))).toBe(false);
    expect(await isAccepted(db.payment.update({ where: { id }, data: { state: "voided" } }))).toBe(true);
  }
});

test("a paid, declined, voided, closing or voiding payment can't become booked", () => {
  expect(PAYMENT_STATES.filter((to) => isLegalTransition("paid", to))).toEqual([]);
  for (const from of ["declined", "voided"])
    expect(PAYMENT_STATES.filter((to) => isLegalTransition(from, to))).toEqual(["voiding"]);
  for (const from of ["closing", "voiding"]) expect(isLegalTransition(from, "booked")).toBe(false);
});

test("the code throws on an illegal transition and leaves the payment and its transitions unchanged", async () => {
  const { markAuthorized, markDeclined } = await import("../../app/checkout/payment-transitions.server.ts");
  const { findPayment } = await import("../../app/checkout/find-payment.server.ts");
  const { id } = await createPayment("paid");
  const payment = await findPayment({ id });
  if (!payment) throw new Error("The payment is gone.");
  const refusal = { ok: false, reason: "payment", message: "No." } as never;
  await expect(markAuthorized(payment, "p")).rejects.toThrow(`Payment ${id} can't change from paid to authorized.`);
  await expect(markDeclined(payment, refusal)).rejects.toThrow(`Payment ${id} can't change from paid to declined.`);
  expect(await db.payment.findUnique({ where: { id } })).toMatchObject({ state: "paid", version: 0 });
  expect(await db.paymentTransition.count({ where: { paymentId: id } })).toBe(0);
});
