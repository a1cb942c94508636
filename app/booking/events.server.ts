import { now } from "../clock.ts";
import type { Gateway, ProviderEvent } from "../payments/gateway.ts";
import { findGateway, look, providerDeadline } from "../payments/gateway.server.ts";
import { activePayments, isForeign } from "./payment-match.server.ts";
import { advance, changePayment, findPayment, leaseEnd, type Payment, UNFINISHED } from "./payments.server.ts";
import { copyRefund } from "./foreign-refunds.server.ts";
import { findRefund, sendRefund } from "./refunds.server.ts";
import { settle } from "./settle.server.ts";
import { db } from "../db.server.ts";

/**
 * Hears what the provider says has happened. An event only says where to look, so it may come twice, late, out of
 * order, or be about a payment of another shop: what the provider answers now is what counts. False when it should
 * come again.
 */
export async function hearEvent(event: ProviderEvent): Promise<boolean> {
  const gateway = await findGateway();
  if (!gateway) return true;
  let isHeard = true;
  if (event.refundId) {
    const refund = await findRefund({ providerRefundId: event.refundId });
    if (refund?.state === "accepted") await sendRefund(refund);
    if (!refund) isHeard = await copyRefund(gateway, event.refundId);
  }
  const payment = await findByEvent(event);
  if (payment?.provider === gateway.name) await lookAgain(gateway, payment);
  return isHeard;
}

async function findByEvent({ paymentId, reference, orderId }: ProviderEvent): Promise<Payment | null> {
  return (
    (reference ? await findPayment({ key: reference }) : null) ??
    (orderId ? await findPayment({ orderId }) : null) ??
    (paymentId ? await findPayment({ providerPaymentId: paymentId }) : null)
  );
}

/** Goes on with what is unfinished and nobody is at work on, and undoes what arrived at the provider after we gave it up. */
export async function lookAgain(gateway: Gateway, payment: Payment): Promise<void> {
  const deadline = providerDeadline();
  if (UNFINISHED.includes(payment.state)) {
    // While a family waits for its answer the event only tells what that request learns itself.
    if (payment.state !== "waiting" && payment.leaseEndsAt > now()) return;
    const claimed = { ...payment, version: payment.version + 1 };
    // A page at the provider keeps its own end; everything else is ours for as long as a lease lasts.
    const changes = payment.state === "waiting" ? {} : { leaseEndsAt: leaseEnd() };
    if (await changePayment(db, payment, changes)) await settle(gateway, { ...claimed, ...changes }, deadline);
    return;
  }
  if (payment.state !== "voided" && payment.state !== "declined") return;
  const found = await look(gateway, payment, deadline);
  const late = found.ok ? activePayments(found.value).find((each) => !isForeign(payment, each)) : undefined;
  if (!late) return;
  const reopened = await advance(payment, {
    state: "voiding",
    ...(payment.method === "card" ? { providerPaymentId: late.id } : {}),
    leaseEndsAt: leaseEnd(),
  });
  if (reopened) await settle(gateway, reopened, deadline);
}
