import { env } from "../env.server.ts";
import type { GatewayResult, CheckoutOrder, Gateway, ProviderPayment } from "./gateway.ts";

/** All the provider is given for one step a family waits for, in seconds (decisions §5.7). */
const PROVIDER_TIMEOUT_SECONDS = env.square.timeoutSeconds;

const globalCache = globalThis as { gateway?: Promise<Gateway> };

/** The provider of this process, made when it is first needed; null when payments are off. */
export async function getGateway(): Promise<Gateway | null> {
  if (env.payments === "off") return null;
  return (globalCache.gateway ??= openGateway());
}

/** A deadline that everything asked of the provider on behalf of one request shares. */
export function providerDeadline(): AbortSignal {
  return AbortSignal.timeout(PROVIDER_TIMEOUT_SECONDS * 1000);
}

/** Everything the provider knows about one payment of ours: the order where there is one, and all payments for it. */
export type ProviderState = { order: CheckoutOrder | null; payments: ProviderPayment[] };

/** What became of a payment by whatever we know of it. An order is asked first: it names every payment made for it. */
export async function findProviderPayment(
  gateway: Gateway,
  payment: { key: string; providerPaymentId: string | null; orderId: string | null; createdAt: Date },
  deadline: AbortSignal,
): Promise<GatewayResult<ProviderState>> {
  if (payment.orderId) {
    const answer = await gateway.findCheckoutOrder(payment.orderId, deadline);
    return answer.ok ? { ok: true, value: { order: answer.value, payments: answer.value?.payments ?? [] } } : answer;
  }
  const answer = payment.providerPaymentId
    ? await gateway.find(payment.providerPaymentId, deadline)
    : await gateway.findByKey(payment.key, payment.createdAt, deadline);
  return answer.ok ? { ok: true, value: { order: null, payments: answer.value ? [answer.value] : [] } } : answer;
}

async function openGateway(): Promise<Gateway> {
  // Square's package costs 70 MB and most of a second, so it is loaded where it is used.
  if (env.payments === "square")
    return (await import("./square.server.ts")).createSquareGateway(env.square, env.origin);
  return (await import("./simulator.server.ts")).createSimulator(env.dataDir);
}
