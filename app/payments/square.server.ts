import { MINUTE_MS } from "../time-units.ts";
import { createHmac, timingSafeEqual } from "node:crypto";
import { type Square, SquareClient } from "square";
import type {
  ProviderOrder,
  PaymentGateway,
  WebhookEvent,
  ProviderPayment,
  ProviderRefund,
} from "./payment-gateway.ts";
import { squareScriptUrl } from "./square-script-url.ts";
import { withRetries, nullIfNotFound } from "./square-retry.server.ts";

const DEFAULT_CURRENCY = "USD";
/** Square releases an authorization that is not captured within this time (ISO 8601). */
const AUTHORIZATION_DURATION = "PT12H";
/**
 * The time window around a request in which its payment is searched, because clocks differ and requests may arrive
 * late.
 */
const CLOCK_SKEW_MS = MINUTE_MS;
const MAX_REQUEST_DELAY_MS = 120_000;
const MAX_PAGES = 100;

const PAYMENT_STATUS: Record<string, ProviderPayment["status"]> = {
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

type SquareSettings = {
  environment: "production" | "sandbox";
  applicationId?: string;
  locationId?: string;
  accessToken?: string;
  webhookSignatureKey?: string;
  baseUrl?: string;
};

/** Implements the gateway with Square's Payments, Refunds and Checkout APIs (package square 46). */
export function createSquareGateway(settings: SquareSettings, origin: string): PaymentGateway {
  const { environment, applicationId = "", locationId = "", accessToken = "" } = settings;
  const domain = environment === "production" ? "squareup.com" : "squareupsandbox.com";
  const baseUrl = settings.baseUrl ?? `https://connect.${domain}`;
  // withRetries makes the retries, because those of the package ignore the deadline.
  const client = new SquareClient({
    token: accessToken,
    baseUrl,
    maxRetries: 0,
    logging: { silent: true },
    // A redirect would send the access token to another address.
    fetch: (input, init) => fetch(input, { ...init, redirect: "error" }),
  });

  return {
    name: "square",
    config: { environment, applicationId, locationId, scriptUrl: squareScriptUrl(environment) },
    authorize: ({ key, sourceId, amountCents }, deadline) =>
      withRetries(deadline, async (options) => {
        const request = {
          sourceId,
          idempotencyKey: key,
          amountMoney: toMoney(amountCents),
          autocomplete: false,
          delayDuration: AUTHORIZATION_DURATION,
          delayAction: "CANCEL",
          locationId,
          referenceId: key,
        };
        return toProviderPayment((await client.payments.create(request, options)).payment);
      }),
    capture: (paymentId, deadline) =>
      withRetries(deadline, async (options) =>
        toProviderPayment((await client.payments.complete({ paymentId }, options)).payment),
      ),
    cancel: (paymentId, deadline) =>
      withRetries(deadline, async (options) =>
        toProviderPayment((await client.payments.cancel({ paymentId }, options)).payment),
      ),
    cancelByKey: (idempotencyKey, deadline) =>
      nullIfNotFound(
        withRetries(deadline, async (options) => {
          await client.payments.cancelByIdempotencyKey({ idempotencyKey }, options);
          return null;
        }),
      ),
    find: (paymentId, deadline) =>
      nullIfNotFound(
        withRetries(deadline, async (options) =>
          toProviderPayment((await client.payments.get({ paymentId }, options)).payment),
        ),
      ),
    findByKey: (key, since, deadline) =>
      withRetries(deadline, async (options) => {
        const beginTime = new Date(since.getTime() - CLOCK_SKEW_MS).toISOString();
        const endTime = new Date(since.getTime() + MAX_REQUEST_DELAY_MS).toISOString();
        let page = await client.payments.list({ beginTime, endTime, locationId }, options);
        for (let pages = 1; ; pages++) {
          const matchingPayment = page.data.find(({ referenceId }) => referenceId === key);
          if (matchingPayment) return toProviderPayment(matchingPayment);
          if (!page.hasNextPage() || pages === MAX_PAGES) return null;
          page = await page.getNextPage();
        }
      }),
    refund: ({ key, paymentId, amountCents, currency }, deadline) =>
      withRetries(deadline, async (options) => {
        const request = { idempotencyKey: key, paymentId, amountMoney: toMoney(amountCents, currency) };
        return toProviderRefund((await client.refunds.refundPayment(request, options)).refund);
      }),
    findRefund: (refundId, deadline) =>
      nullIfNotFound(
        withRetries(deadline, async (options) =>
          toProviderRefund((await client.refunds.get({ refundId }, options)).refund),
        ),
      ),
    openCheckout: ({ key, amountCents, returnTo }, deadline) =>
      withRetries(deadline, async (options) => {
        // Privacy: Square receives our key and an amount, but neither the family nor the service.
        const lineItems = [{ name: "Appointment", quantity: "1", basePriceMoney: toMoney(amountCents) }];
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
      nullIfNotFound(
        withRetries(deadline, async (options) => {
          await client.checkout.paymentLinks.delete({ id }, options);
          return null;
        }),
      ),
    findCheckoutOrder: (orderId, deadline) =>
      nullIfNotFound(
        withRetries(deadline, async (options) => {
          const { order } = await client.orders.get({ orderId }, options);
          if (!order?.id) throw new Error("Square answered without an order.");
          const payments: ProviderPayment[] = [];
          for (const tender of order.tenders ?? []) {
            const paymentId = tender.paymentId ?? tender.id;
            if (!paymentId) throw new Error("Square answered with a tender without a payment.");
            payments.push(toProviderPayment((await client.payments.get({ paymentId }, options)).payment));
          }
          return toProviderOrder(order.id, order, payments);
        }),
      ),
    parseWebhook: (body, headers) => {
      const signature = headers.get("x-square-hmacsha256-signature") ?? "";
      return hasValidSignature(body, signature, settings.webhookSignatureKey, `${origin}/api/payments/webhook`)
        ? parseWebhookBody(body)
        : null;
    },
  };
}

function toMoney(cents: number, currency: string = DEFAULT_CURRENCY) {
  return { amount: BigInt(cents), currency: currency as Square.Currency };
}

function toCents(amount: Square.Money | undefined): number {
  return amount?.amount === undefined || amount.amount === null ? Number.NaN : Number(amount.amount);
}

function toProviderPayment(payment: Square.Payment | undefined): ProviderPayment {
  if (!payment?.id) throw new Error("Square answered without a payment.");
  const { amountMoney, totalMoney = amountMoney, refundedMoney, referenceId, orderId, locationId } = payment;
  const amountCents = toCents(totalMoney);
  return {
    id: payment.id,
    status: PAYMENT_STATUS[payment.status ?? ""] ?? "pending",
    amountCents,
    tipCents: amountCents - toCents(amountMoney),
    refundedCents: refundedMoney ? toCents(refundedMoney) : 0,
    currency: totalMoney?.currency ?? "",
    ...(referenceId && { reference: referenceId }),
    ...(orderId && { orderId }),
    ...(locationId && { locationId }),
  };
}

function toProviderOrder(id: string, order: Square.Order, payments: ProviderPayment[]): ProviderOrder {
  const { referenceId, locationId, totalMoney } = order;
  return {
    id,
    payments,
    ...(referenceId && { reference: referenceId }),
    ...(locationId && { locationId }),
    ...(totalMoney && { amountCents: toCents(totalMoney), currency: totalMoney.currency ?? "" }),
  };
}

function toProviderRefund(refund: Square.PaymentRefund | undefined): ProviderRefund {
  if (!refund?.id) throw new Error("Square answered without a refund.");
  const amountCents = Number(refund.amountMoney?.amount ?? 0n);
  return {
    id: refund.id,
    status: REFUND_STATUS[refund.status ?? ""] ?? "accepted",
    amountCents,
    paymentId: refund.paymentId ?? undefined,
  };
}

/** Verifies the signature in constant time, unlike the package's own check. */
function hasValidSignature(body: Buffer, signature: string, key: string | undefined, url: string): boolean {
  if (!key) return false;
  const expected = createHmac("sha256", key).update(url).update(body).digest();
  const actual = Buffer.from(signature, "base64");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function parseWebhookBody(body: Buffer): WebhookEvent {
  try {
    const { payment, refund } = JSON.parse(body.toString("utf8")).data.object;
    return {
      paymentId: providerIdOrUndefined(payment?.id ?? refund?.payment_id),
      reference: providerIdOrUndefined(payment?.reference_id),
      orderId: providerIdOrUndefined(payment?.order_id),
      refundId: providerIdOrUndefined(refund?.id),
    };
  } catch {
    return {}; // signed, but its type is not handled
  }
}

/**
 * Returns the value if it looks like a provider's id, otherwise undefined. The database rejects some control
 * characters.
 */
function providerIdOrUndefined(value: unknown): string | undefined {
  return typeof value === "string" && /^\P{Cc}{1,255}$/u.test(value) ? value : undefined;
}
