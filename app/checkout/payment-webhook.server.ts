import { now } from "../clock.ts";
import type { PaymentGateway, WebhookEvent } from "../payments/payment-gateway.ts";
import {
  getPaymentGateway,
  fetchProviderPaymentState,
  createProviderDeadline,
} from "../payments/payment-gateway.server.ts";
import { authorizedOrCapturedPayments, isForOtherPayment } from "./payment-mismatch.server.ts";
import { leasePayment, reopenForVoiding, UNFINISHED_STATES } from "./payment-transitions.server.ts";
import { findPayment, parseStoredBooking, type Payment } from "./find-payment.server.ts";
import { newLeaseExpiry } from "./payment-lease.server.ts";
import { importRefund } from "./external-refunds.server.ts";
import { findRefund, submitOrRefreshRefund } from "./refunds.server.ts";
import { advancePayment } from "./advance-payment.server.ts";

/**
 * Handles a verified event of the provider. An event only names what to look up. It may arrive twice, late or out of
 * order, or belong to another shop, so the provider is queried for its current state. Returns false when the provider
 * should send the event again.
 */
export async function processWebhookEvent(event: WebhookEvent): Promise<boolean> {
  const gateway = await getPaymentGateway();
  if (!gateway) return true;
  let isHandled = true;
  if (event.refundId) {
    const refund = await findRefund({ providerRefundId: event.refundId });
    if (refund?.state === "accepted") await submitOrRefreshRefund(refund);
    if (!refund) isHandled = await importRefund(gateway, event.refundId);
  }
  const payment = await findPaymentForEvent(event);
  if (payment?.provider === gateway.name) await refreshPaymentFromProvider(gateway, payment);
  return isHandled;
}

async function findPaymentForEvent({ paymentId, reference, orderId }: WebhookEvent): Promise<Payment | null> {
  return (
    (reference ? await findPayment({ key: reference }) : null) ??
    (orderId ? await findPayment({ orderId }) : null) ??
    (paymentId ? await findPayment({ providerPaymentId: paymentId }) : null)
  );
}

/**
 * Advances an unfinished payment whose lease has ended. For a declined or voided payment, checks whether a delayed
 * request reached the provider, and voids that. Leaves paid payments unchanged, and those that a restore has closed.
 */
export async function refreshPaymentFromProvider(gateway: PaymentGateway, payment: Payment): Promise<void> {
  const deadline = createProviderDeadline();
  if (UNFINISHED_STATES.includes(payment.state)) {
    // Another worker holds the lease and queries the provider itself.
    if (payment.state !== "waiting" && payment.leaseEndsAt > now()) return;
    // The lease of a waiting payment ends when the provider's page expires.
    const leased = await leasePayment(payment, payment.state === "waiting" ? undefined : newLeaseExpiry());
    if (leased) await advancePayment(gateway, leased, deadline);
    return;
  }
  if (payment.state !== "voided" && payment.state !== "declined") return;
  if (parseStoredBooking(payment)?.isClosedByRestore) return;
  const found = await fetchProviderPaymentState(gateway, payment, deadline);
  const late = found.ok
    ? authorizedOrCapturedPayments(found.value).find((each) => !isForOtherPayment(payment, each))
    : undefined;
  if (!late) return;
  const reopened = await reopenForVoiding(payment, payment.method === "card" ? { providerPaymentId: late.id } : {});
  if (reopened) await advancePayment(gateway, reopened, deadline);
}
