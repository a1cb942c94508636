import { env } from "../env.server.ts";
import type { GatewayResult, ProviderOrder, PaymentGateway, ProviderPayment } from "./payment-gateway.ts";

/** The timeout of all provider calls of one request that a family waits for, in seconds. */
const PROVIDER_TIMEOUT_SECONDS = env.square.timeoutSeconds;

const globalCache = globalThis as { gateway?: Promise<PaymentGateway> };

/** Returns the card provider of this process, created on first use; null when PAYMENTS=off. */
export async function getPaymentGateway(): Promise<PaymentGateway | null> {
  if (env.payments === "off") return null;
  return (globalCache.gateway ??= createPaymentGateway());
}

/** Returns a deadline, starting now, for all provider calls of one request. */
export function createProviderDeadline(): AbortSignal {
  return AbortSignal.timeout(PROVIDER_TIMEOUT_SECONDS * 1000);
}

/** What the provider reports about one of our payments: its order, if there is one, and every payment made. */
export type ProviderState = { order: ProviderOrder | null; payments: ProviderPayment[] };

/**
 * Looks up a payment at the provider by its order, otherwise by its provider id, otherwise by our key. The order comes
 * first because it lists every payment made for it. An empty list means that the provider has no such payment.
 */
export async function fetchProviderPaymentState(
  gateway: PaymentGateway,
  payment: { key: string; providerPaymentId: string | null; orderId: string | null; createdAt: Date },
  deadline: AbortSignal,
): Promise<GatewayResult<ProviderState>> {
  if (payment.orderId) {
    const result = await gateway.findCheckoutOrder(payment.orderId, deadline);
    return result.ok ? { ok: true, value: { order: result.value, payments: result.value?.payments ?? [] } } : result;
  }
  const result = payment.providerPaymentId
    ? await gateway.find(payment.providerPaymentId, deadline)
    : await gateway.findByKey(payment.key, payment.createdAt, deadline);
  return result.ok ? { ok: true, value: { order: null, payments: result.value ? [result.value] : [] } } : result;
}

async function createPaymentGateway(): Promise<PaymentGateway> {
  // Imported on demand because Square's package needs 70 MB and most of a second to load.
  if (env.payments === "square")
    return (await import("./square.server.ts")).createSquareGateway(env.square, env.origin);
  return (await import("./simulator.server.ts")).createSimulator(env.dataDir);
}
