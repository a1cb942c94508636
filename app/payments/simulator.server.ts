import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Gateway, HostedCheckout, ProviderPayment, Trouble } from "./gateway.ts";
import { type CardOutcome, findSimulatedCard } from "./simulated-cards.ts";
import { simulatedCardFormUrl } from "./simulated-card-form-url.ts";
import { openLedger, type SimulatedCheckout, type SimulatedPayment } from "./simulator-ledger.server.ts";

const OUTAGE: Trouble = { ok: false, kind: "failed", detail: "The card provider is not available." };
const UNKNOWN_CARD = "Card nonce not found";

export type Simulator = Gateway & {
  /** The simulator's own checkout page, by its id; null when it is unknown or closed. */
  findCheckout(id: string): SimulatedCheckout | null;
  /** Pays there, at once and once. `typed` is a card of the simulator, nothing else. */
  payAtCheckout(id: string, typed: string): Promise<Answer<{ returnTo: string }>>;
};

/** A card provider within this process, for machines without keys: idempotent like a real one, and with books of its own. */
export function openSimulator(dataDir: string): Simulator {
  const books = openLedger(dataDir);
  const byKey = (key: string) => Object.values(books.payments).find((payment) => payment.key === key);

  function settle(
    id: string,
    from: SimulatedPayment["status"],
    to: SimulatedPayment["status"],
  ): Answer<ProviderPayment> {
    const payment = books.payments[id];
    if (!payment) return { ...declined("Payment not found"), notFound: true };
    if (payment.status !== from && payment.status !== to) return declined(`The payment is ${payment.status}`);
    payment.status = to;
    books.save();
    return found(payment);
  }

  function enter(key: string, amountCents: number, status: SimulatedPayment["status"]): SimulatedPayment {
    const payment = { id: `simulated-${randomUUID()}`, key, status, amountCents, refundedCents: 0 };
    books.payments[payment.id] = payment;
    books.save();
    return payment;
  }

  return {
    name: "simulator",
    config: {
      environment: "sandbox",
      applicationId: "simulator",
      locationId: "simulator",
      // Without an origin: whichever of this machine's names a visitor uses is the right one.
      scriptUrl: simulatedCardFormUrl,
    },
    async authorize({ key, sourceId, amountCents }, deadline) {
      const earlier = byKey(key);
      if (earlier) return found(earlier);
      const answer = await judge(findSimulatedCard(sourceId), deadline);
      return answer.ok ? found(byKey(key) ?? enter(key, amountCents, "approved")) : answer;
    },
    capture: async (id) => settle(id, "approved", "captured"),
    cancel: async (id) => settle(id, "approved", "closed"),
    async cancelByKey(key) {
      const payment = byKey(key);
      if (payment?.status === "approved") settle(payment.id, "approved", "closed");
      return { ok: true, value: null };
    },
    find: async (id) => ({ ok: true, value: shown(books.payments[id]) }),
    findByKey: async (key) => ({ ok: true, value: shown(byKey(key)) }),
    async refund({ key, paymentId, amountCents }) {
      const id = idOf("refund", key);
      const payment = books.payments[paymentId];
      if (!payment || payment.status !== "captured") return declined("There is nothing to refund");
      if (!books.refunds[id]) {
        if (payment.refundedCents + amountCents > payment.amountCents) return declined("That is more than was paid");
        payment.refundedCents += amountCents;
        books.refunds[id] = { id, key, paymentId, amountCents };
        books.save();
      }
      return { ok: true, value: { id, status: "done", amountCents } };
    },
    async findRefund(id) {
      const refund = books.refunds[id];
      return { ok: true, value: refund ? { ...refund, status: "done" } : null };
    },
    async openCheckout({ key, amountCents, returnTo }) {
      const id = idOf("checkout", key);
      const checkout = (books.checkouts[id] ??= {
        id,
        key,
        orderId: idOf("order", key),
        amountCents,
        returnTo: pathOf(returnTo),
        isClosed: false,
      });
      books.save();
      return { ok: true, value: addressed(checkout) };
    },
    async closeCheckout(id) {
      const checkout = books.checkouts[id];
      if (checkout) checkout.isClosed = true;
      books.save();
      return { ok: true, value: null };
    },
    async findCheckoutOrder(orderId) {
      const checkout = Object.values(books.checkouts).find((each) => each.orderId === orderId);
      if (!checkout) return { ok: true, value: null };
      const payment = shown(byKey(checkout.key));
      const { key: reference, amountCents } = checkout;
      const order = { id: orderId, reference, amountCents, currency: "USD", payments: payment ? [payment] : [] };
      return { ok: true, value: order };
    },
    readEvent: () => null,
    findCheckout: (id) => openOnly(books.checkouts[id]),
    async payAtCheckout(id, typed) {
      const answer = await judge(findSimulatedCard(typed), AbortSignal.timeout(10_000));
      if (!answer.ok) return answer;
      const checkout = books.checkouts[id];
      if (!checkout || (checkout.isClosed && !byKey(checkout.key))) return declined("This page is closed");
      if (!byKey(checkout.key)) enter(checkout.key, checkout.amountCents, "captured");
      return { ok: true, value: { returnTo: checkout.returnTo } };
    },
  };
}

async function judge(card: CardOutcome | undefined, deadline: AbortSignal): Promise<Answer<null>> {
  if (!card) return declined(UNKNOWN_CARD);
  if (card.isDown) return OUTAGE;
  if (card.declined) return { ...declined(`Authorization error: '${card.declined}'`), code: card.declined };
  if (card.asksForMs) await sleep(card.asksForMs, null, { signal: deadline }).catch(() => {});
  return deadline.aborted ? { ...OUTAGE, kind: "silent" } : { ok: true, value: null };
}

function openOnly(checkout: SimulatedCheckout | undefined): SimulatedCheckout | null {
  return checkout && !checkout.isClosed ? checkout : null;
}

function addressed({ id, orderId }: SimulatedCheckout): HostedCheckout {
  return { id, orderId, url: `/simulated-checkout/${id}` };
}

function shown(payment: SimulatedPayment | undefined): ProviderPayment | null {
  return payment ? asProviderPayment(payment) : null;
}

function asProviderPayment({ id, key: reference, status, amountCents, refundedCents }: SimulatedPayment) {
  const orderId = idOf("order", reference);
  return { id, status, amountCents, tipCents: 0, refundedCents, currency: "USD", reference, orderId };
}

function found(payment: SimulatedPayment): Answer<ProviderPayment> {
  return { ok: true, value: asProviderPayment(payment) };
}

/** The same key asked twice is the same thing. */
function idOf(kind: string, key: string): string {
  return `simulated-${kind}-${createHash("sha256").update(kind).update(key).digest("hex").slice(0, 24)}`;
}

function declined(detail: string): Trouble {
  return { ok: false, kind: "declined", detail };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
