import { now } from "../clock.ts";
import type { Gateway, WebhookEvent } from "../payments/gateway.ts";
import { getGateway, findProviderPayment, providerDeadline } from "../payments/gateway.server.ts";
import { activePayments, isForeign } from "./payment-match.server.ts";
import {
  transitionPayment,
  updatePayment,
  findPayment,
  leaseExpiry,
  type Payment,
  UNFINISHED_STATES,
} from "./payments.server.ts";
import { importRefund } from "./external-refunds.server.ts";
import { findRefund, submitRefund } from "./refunds.server.ts";
import { advancePayment } from "./payment-state.server.ts";
import { db } from "../db/client.server.ts";

/**
 * Hears what the provider says has happened. An event only says where to look, so it may come twice, late, out of
 * order, or be about a payment of another shop: what the provider answers now is what counts. False when it should
 * come again.
 */
export async function handleProviderEvent(event: WebhookEvent): Promise<boolean> {
  const gateway = await getGateway();
  if (!gateway) return true;
  let isHandled = true;
  if (event.refundId) {
    const refund = await findRefund({ providerRefundId: event.refundId });
    if (refund?.state === "accepted") await submitRefund(refund);
    if (!refund) isHandled = await importRefund(gateway, event.refundId);
  }
  const payment = await findPaymentForEvent(event);
  if (payment?.provider === gateway.name) await refreshFromProvider(gateway, payment);
  return isHandled;
}

async function findPaymentForEvent({ paymentId, reference, orderId }: WebhookEvent): Promise<Payment | null> {
  return (
    (reference ? await findPayment({ key: reference }) : null) ??
    (orderId ? await findPayment({ orderId }) : null) ??
    (paymentId ? await findPayment({ providerPaymentId: paymentId }) : null)
  );
}

/** Goes on with what is unfinished and nobody is at work on, and undoes what arrived at the provider after we gave it up. */
export async function refreshFromProvider(gateway: Gateway, payment: Payment): Promise<void> {
  const deadline = providerDeadline();
  if (UNFINISHED_STATES.includes(payment.state)) {
    // While a family waits for its answer the event only tells what that request learns itself.
    if (payment.state !== "waiting" && payment.leaseEndsAt > now()) return;
    const leased = { ...payment, version: payment.version + 1 };
    // A page at the provider keeps its own end; everything else is ours for as long as a lease lasts.
    const changes = payment.state === "waiting" ? {} : { leaseEndsAt: leaseExpiry() };
    if (await updatePayment(db, payment, changes)) await advancePayment(gateway, { ...leased, ...changes }, deadline);
    return;
  }
  if (payment.state !== "voided" && payment.state !== "declined") return;
  const found = await findProviderPayment(gateway, payment, deadline);
  const late = found.ok ? activePayments(found.value).find((each) => !isForeign(payment, each)) : undefined;
  if (!late) return;
  const reopened = await transitionPayment(payment, {
    state: "voiding",
    ...(payment.method === "card" ? { providerPaymentId: late.id } : {}),
    leaseEndsAt: leaseExpiry(),
  });
  if (reopened) await advancePayment(gateway, reopened, deadline);
}
