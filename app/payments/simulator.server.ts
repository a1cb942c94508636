import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { runWithSlotReleased } from "../http/fair-queue/fair-queue-middleware.server.ts";
import type {
  GatewayResult,
  PaymentGateway,
  HostedCheckout,
  ProviderPayment,
  GatewayError,
} from "./payment-gateway.ts";
import { type SimulatedCard, findSimulatedCard } from "./simulated-cards.ts";
// `?worker&url` makes Vite emit a plain script, which is loaded by its URL like the provider's script.
import simulatedCardFormUrl from "./simulated-card-form.ts?worker&url";
import { openSimulatorState, type SimulatedCheckout, type SimulatedPayment } from "./simulator-state.server.ts";

const PROVIDER_DOWN_ERROR: GatewayError = { ok: false, kind: "failed", detail: "The card provider is not available." };
const UNKNOWN_CARD_DETAIL = "Card nonce not found";

export type Simulator = PaymentGateway & {
  /** Finds the simulator's checkout page by its id; null when it is unknown or closed. */
  findCheckout(id: string): SimulatedCheckout | null;
  /** Pays on the page; a repeated call charges nothing more. `typed` is the number or token of a simulated card. */
  payAtCheckout(id: string, typed: string): Promise<GatewayResult<{ returnTo: string }>>;
};

/**
 * Creates a card provider within this process, for development without keys. Idempotent by key, like Square. Its state
 * is stored in `dataDir`.
 */
export function createSimulator(dataDir: string): Simulator {
  const state = openSimulatorState(dataDir);
  const findPaymentByKey = (key: string) => Object.values(state.payments).find((payment) => payment.key === key);

  function transition(
    id: string,
    from: SimulatedPayment["status"],
    to: SimulatedPayment["status"],
  ): GatewayResult<ProviderPayment> {
    const payment = state.payments[id];
    if (!payment) return { ...createDeclinedError("Payment not found"), notFound: true };
    if (payment.status !== from && payment.status !== to)
      return createDeclinedError(`The payment is ${payment.status}`);
    payment.status = to;
    state.save();
    return paymentResult(payment);
  }

  function recordPayment(key: string, amountCents: number, status: SimulatedPayment["status"]): SimulatedPayment {
    const payment = { id: `simulated-${randomUUID()}`, key, status, amountCents, refundedCents: 0 };
    state.payments[payment.id] = payment;
    state.save();
    return payment;
  }

  return {
    name: "simulator",
    config: {
      environment: "sandbox",
      applicationId: "simulator",
      locationId: "simulator",
      // A path without an origin works under every host name of this computer.
      scriptUrl: simulatedCardFormUrl,
    },
    async authorize({ key, sourceId, amountCents }, deadline) {
      const existing = findPaymentByKey(key);
      if (existing) return paymentResult(existing);
      const result = await simulateCardAuthorization(findSimulatedCard(sourceId), deadline);
      return result.ok ? paymentResult(findPaymentByKey(key) ?? recordPayment(key, amountCents, "approved")) : result;
    },
    capture: async (id) => transition(id, "approved", "captured"),
    cancel: async (id) => transition(id, "approved", "closed"),
    async cancelByKey(key) {
      const payment = findPaymentByKey(key);
      if (payment?.status === "approved") transition(payment.id, "approved", "closed");
      return { ok: true, value: null };
    },
    find: async (id) => ({ ok: true, value: toProviderPaymentOrNull(state.payments[id]) }),
    findByKey: async (key) => ({ ok: true, value: toProviderPaymentOrNull(findPaymentByKey(key)) }),
    async refund({ key, paymentId, amountCents }) {
      const id = deterministicId("refund", key);
      const payment = state.payments[paymentId];
      if (!payment || payment.status !== "captured") return createDeclinedError("There is nothing to refund");
      if (!state.refunds[id]) {
        if (payment.refundedCents + amountCents > payment.amountCents)
          return createDeclinedError("That is more than was paid");
        payment.refundedCents += amountCents;
        state.refunds[id] = { id, key, paymentId, amountCents };
        state.save();
      }
      return { ok: true, value: { id, status: "done", amountCents } };
    },
    async findRefund(id) {
      const refund = state.refunds[id];
      return { ok: true, value: refund ? { ...refund, status: "done" } : null };
    },
    async openCheckout({ key, amountCents, returnTo }) {
      const id = deterministicId("checkout", key);
      const checkout = (state.checkouts[id] ??= {
        id,
        key,
        orderId: deterministicId("order", key),
        amountCents,
        returnTo: pathAndQuery(returnTo),
        isClosed: false,
      });
      state.save();
      return { ok: true, value: toHostedCheckout(checkout) };
    },
    async closeCheckout(id) {
      const checkout = state.checkouts[id];
      if (checkout) checkout.isClosed = true;
      state.save();
      return { ok: true, value: null };
    },
    async findCheckoutOrder(orderId) {
      const checkout = Object.values(state.checkouts).find((each) => each.orderId === orderId);
      if (!checkout) return { ok: true, value: null };
      const payment = toProviderPaymentOrNull(findPaymentByKey(checkout.key));
      const { key: reference, amountCents } = checkout;
      const order = { id: orderId, reference, amountCents, currency: "USD", payments: payment ? [payment] : [] };
      return { ok: true, value: order };
    },
    parseWebhook: () => null,
    findCheckout: (id) => nullIfClosed(state.checkouts[id]),
    async payAtCheckout(id, typed) {
      const result = await simulateCardAuthorization(findSimulatedCard(typed), AbortSignal.timeout(10_000));
      if (!result.ok) return result;
      const checkout = state.checkouts[id];
      if (!checkout || (checkout.isClosed && !findPaymentByKey(checkout.key)))
        return createDeclinedError("This page is closed");
      if (!findPaymentByKey(checkout.key)) recordPayment(checkout.key, checkout.amountCents, "captured");
      return { ok: true, value: { returnTo: checkout.returnTo } };
    },
  };
}

async function simulateCardAuthorization(
  card: SimulatedCard | undefined,
  deadline: AbortSignal,
): Promise<GatewayResult<null>> {
  if (!card) return createDeclinedError(UNKNOWN_CARD_DETAIL);
  if (card.isOutage) return PROVIDER_DOWN_ERROR;
  if (card.declineCode)
    return { ...createDeclinedError(`Authorization error: '${card.declineCode}'`), code: card.declineCode };
  if (card.challengeMs)
    await runWithSlotReleased(() => sleep(card.challengeMs, null, { signal: deadline })).catch(() => {});
  return deadline.aborted ? { ...PROVIDER_DOWN_ERROR, kind: "timeout" } : { ok: true, value: null };
}

function nullIfClosed(checkout: SimulatedCheckout | undefined): SimulatedCheckout | null {
  return checkout && !checkout.isClosed ? checkout : null;
}

function toHostedCheckout({ id, orderId }: SimulatedCheckout): HostedCheckout {
  return { id, orderId, url: `/simulated-checkout/${id}` };
}

function toProviderPaymentOrNull(payment: SimulatedPayment | undefined): ProviderPayment | null {
  return payment ? asProviderPayment(payment) : null;
}

function asProviderPayment({ id, key: reference, status, amountCents, refundedCents }: SimulatedPayment) {
  const orderId = deterministicId("order", reference);
  return { id, status, amountCents, tipCents: 0, refundedCents, currency: "USD", reference, orderId };
}

function paymentResult(payment: SimulatedPayment): GatewayResult<ProviderPayment> {
  return { ok: true, value: asProviderPayment(payment) };
}

/** Derives an id from the idempotency key, so that a repeated request finds the existing record. */
function deterministicId(kind: string, key: string): string {
  return `simulated-${kind}-${createHash("sha256").update(kind).update(key).digest("hex").slice(0, 24)}`;
}

function createDeclinedError(detail: string): GatewayError {
  return { ok: false, kind: "declined", detail };
}

function pathAndQuery(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
