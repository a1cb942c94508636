import { createHmac, timingSafeEqual } from "node:crypto";
import { type Square, SquareClient } from "square";
import type { CheckoutOrder, Gateway, ProviderEvent, ProviderPayment, ProviderRefund } from "./gateway.ts";
import { ask, forgiving } from "./square-ask.server.ts";

const CURRENCY = "USD";
/** What is reserved and never charged lets go of the card by itself after this long. */
const RESERVED_FOR = "PT12H";
/** Around the moment at which we asked: the two clocks differ, and a lost request may arrive late. */
const CLOCKS_DIFFER_MS = 60_000;
const LATEST_ARRIVAL_MS = 120_000;
const MOST_PAGES = 100;

const STATUS: Record<string, ProviderPayment["status"]> = {
  APPROVED: "approved",
  COMPLETED: "captured",
  CANCELED: "closed",
  FAILED: "closed",
};
const REFUND_STATUS: Record<string, ProviderRefund["status"]> = {
  COMPLETED: "done",
  REJECTED: "failed",
  FAILED: "failed",
};

type Keys = {
  environment: "production" | "sandbox";
  applicationId?: string;
  locationId?: string;
  accessToken?: string;
  webhookSignatureKey?: string;
  baseUrl?: string;
};

/** Square's Payments, Refunds and Checkout APIs (package square 46) behind the port. */
export function openSquare(keys: Keys, origin: string): Gateway {
  const { environment, applicationId = "", locationId = "", accessToken = "" } = keys;
  const hosts = environment === "production" ? "squareup.com" : "squareupsandbox.com";
  const baseUrl = keys.baseUrl ?? `https://connect.${hosts}`;
  // Repeats are ours to make: the package would not count them against the deadline.
  const client = new SquareClient({ token: accessToken, baseUrl, maxRetries: 0, logging: { silent: true } });
  const script = environment === "production" ? "web.squarecdn.com" : "sandbox.web.squarecdn.com";

  return {
    name: "square",
    config: { environment, applicationId, locationId, scriptUrl: `https://${script}/v1/square.js` },
    authorize: ({ key, sourceId, amountCents }, deadline) =>
      ask(deadline, async (options) => {
        const request = {
          sourceId,
          idempotencyKey: key,
          amountMoney: money(amountCents),
          autocomplete: false,
          delayDuration: RESERVED_FOR,
          delayAction: "CANCEL",
          locationId,
          referenceId: key,
        };
        return readPayment((await client.payments.create(request, options)).payment);
      }),
    capture: (paymentId, deadline) =>
      ask(deadline, async (options) => readPayment((await client.payments.complete({ paymentId }, options)).payment)),
    cancel: (paymentId, deadline) =>
      ask(deadline, async (options) => readPayment((await client.payments.cancel({ paymentId }, options)).payment)),
    cancelByKey: (idempotencyKey, deadline) =>
      forgiving(
        ask(deadline, async (options) => {
          await client.payments.cancelByIdempotencyKey({ idempotencyKey }, options);
          return null;
        }),
      ),
    find: (paymentId, deadline) =>
      forgiving(
        ask(deadline, async (options) => readPayment((await client.payments.get({ paymentId }, options)).payment)),
      ),
    findByKey: (key, since, deadline) =>
      ask(deadline, async (options) => {
        const beginTime = new Date(since.getTime() - CLOCKS_DIFFER_MS).toISOString();
        const endTime = new Date(since.getTime() + LATEST_ARRIVAL_MS).toISOString();
        let page = await client.payments.list({ beginTime, endTime, locationId }, options);
        for (let pages = 1; ; pages++) {
          const found = page.data.find(({ referenceId }) => referenceId === key);
          if (found) return readPayment(found);
          if (!page.hasNextPage() || pages === MOST_PAGES) return null;
          page = await page.getNextPage();
        }
      }),
    refund: ({ key, paymentId, amountCents, currency }, deadline) =>
      ask(deadline, async (options) => {
        const request = { idempotencyKey: key, paymentId, amountMoney: money(amountCents, currency) };
        return readRefund((await client.refunds.refundPayment(request, options)).refund);
      }),
    findRefund: (refundId, deadline) =>
      forgiving(ask(deadline, async (options) => readRefund((await client.refunds.get({ refundId }, options)).refund))),
    openCheckout: ({ key, amountCents, returnTo }, deadline) =>
      ask(deadline, async (options) => {
        // Square learns our key and an amount: whose visit it is, and for what, is none of its business.
        const lineItems = [{ name: "Appointment", quantity: "1", basePriceMoney: money(amountCents) }];
        const request = {
          idempotencyKey: key,
          order: { locationId, referenceId: key, lineItems },
          checkoutOptions: { redirectUrl: returnTo, askForShippingAddress: false, allowTipping: false },
        };
        const { paymentLink } = await client.checkout.paymentLinks.create(request, options);
        const { id, url, orderId } = paymentLink ?? {};
        if (!id || !url || !orderId) throw new Error("Square made a payment link without an address.");
        return { id, url, orderId };
      }),
    closeCheckout: (id, deadline) =>
      forgiving(
        ask(deadline, async (options) => {
          await client.checkout.paymentLinks.delete({ id }, options);
          return null;
        }),
      ),
    findCheckoutOrder: (orderId, deadline) =>
      forgiving(
        ask(deadline, async (options) => {
          const { order } = await client.orders.get({ orderId }, options);
          if (!order?.id) throw new Error("Square answered without an order.");
          const payments: ProviderPayment[] = [];
          for (const tender of order.tenders ?? []) {
            const paymentId = tender.paymentId ?? tender.id;
            if (!paymentId) throw new Error("Square answered with a tender without a payment.");
            payments.push(readPayment((await client.payments.get({ paymentId }, options)).payment));
          }
          return readOrder(order.id, order, payments);
        }),
      ),
    readEvent: (body, headers) => {
      const signature = headers.get("x-square-hmacsha256-signature") ?? "";
      return isSigned(body, signature, keys.webhookSignatureKey, `${origin}/api/payments/webhook`)
        ? readEvent(body)
        : null;
    },
  };
}

function money(cents: number, currency: string = CURRENCY) {
  return { amount: BigInt(cents), currency: currency as Square.Currency };
}

function cents(amount: Square.Money | undefined): number {
  return amount?.amount === undefined || amount.amount === null ? Number.NaN : Number(amount.amount);
}

function readPayment(payment: Square.Payment | undefined): ProviderPayment {
  if (!payment?.id) throw new Error("Square answered without a payment.");
  const { amountMoney, totalMoney = amountMoney, refundedMoney, referenceId, orderId, locationId } = payment;
  const amountCents = cents(totalMoney);
  return {
    id: payment.id,
    status: STATUS[payment.status ?? ""] ?? "pending",
    amountCents,
    tipCents: amountCents - cents(amountMoney),
    refundedCents: refundedMoney ? cents(refundedMoney) : 0,
    currency: totalMoney?.currency ?? "",
    ...(referenceId && { reference: referenceId }),
    ...(orderId && { orderId }),
    ...(locationId && { locationId }),
  };
}

function readOrder(id: string, order: Square.Order, payments: ProviderPayment[]): CheckoutOrder {
  const { referenceId, locationId, totalMoney } = order;
  return {
    id,
    payments,
    ...(referenceId && { reference: referenceId }),
    ...(locationId && { locationId }),
    ...(totalMoney && { amountCents: cents(totalMoney), currency: totalMoney.currency ?? "" }),
  };
}

function readRefund(refund: Square.PaymentRefund | undefined): ProviderRefund {
  if (!refund?.id) throw new Error("Square answered without a refund.");
  const amountCents = Number(refund.amountMoney?.amount ?? 0n);
  return {
    id: refund.id,
    status: REFUND_STATUS[refund.status ?? ""] ?? "accepted",
    amountCents,
    paymentId: refund.paymentId ?? undefined,
  };
}

/** The package's own check compares byte by byte until one differs; this one takes the same time for every signature. */
function isSigned(body: Buffer, signature: string, key: string | undefined, url: string): boolean {
  if (!key) return false;
  const expected = createHmac("sha256", key).update(url).update(body).digest();
  const given = Buffer.from(signature, "base64");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function readEvent(body: Buffer): ProviderEvent {
  try {
    const { payment, refund } = JSON.parse(body.toString("utf8")).data.object;
    return {
      paymentId: payment?.id ?? refund?.payment_id,
      reference: payment?.reference_id,
      orderId: payment?.order_id,
      refundId: refund?.id,
    };
  } catch {
    return {}; // signed, and about something we don't follow
  }
}
