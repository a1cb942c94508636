import { now } from "../clock.ts";
import { insertAppointmentAndNotify } from "../booking/book-appointment.server.ts";
import type { Refusal } from "../http/outcome.ts";
import type { ProviderPayment } from "../payments/payment-gateway.ts";
import { findPayment, parseStoredBooking, type Payment } from "./find-payment.server.ts";
import { mailVisitNotBooked, mailReplacedPaymentRefunded } from "./payment-mails.server.ts";
import { markBooked, markPaidWithoutBooking, startVoiding } from "./payment-transitions.server.ts";
import { insertRefundRequest, type Refund, submitOrRefreshRefund } from "./refunds.server.ts";

export const BOOKING_FAILED_REASON = "The appointment could not be booked after the payment.";

/**
 * Inserts the appointment and deletes the payment's hold, in one transaction. If that is impossible, an authorized
 * payment is voided, and a payment captured on the provider's page (`hostedPayment`) is refunded in full. `refusal`
 * contains the reason. `payment` is null when another worker changed it first, or when nothing is left to do.
 */
export async function bookOrReleasePayment(
  payment: Payment,
  hostedPayment?: ProviderPayment,
): Promise<{ payment: Payment | null; refusal: Refusal | null }> {
  const fields = parseStoredBooking(payment);
  let isCurrentVersion = true;
  const booked =
    !fields || fields.appointmentDate <= now()
      ? null
      : await insertAppointmentAndNotify(
          fields,
          { userId: payment.userId, paymentMethod: "online", paymentId: payment.id },
          async (transaction) => {
            isCurrentVersion = await markBooked(transaction, payment, hostedPayment?.id);
            return isCurrentVersion ? null : { ok: false, reason: "conflict", message: BOOKING_FAILED_REASON };
          },
        );
  if (booked?.ok) return { payment: await findPayment({ id: payment.id }), refusal: null };
  if (!isCurrentVersion) return { payment: null, refusal: booked };
  const nextPayment = hostedPayment
    ? await markPaidAndRefundUnbooked(payment, hostedPayment, BOOKING_FAILED_REASON)
    : await startVoiding(payment, booked ? { refusal: booked } : {});
  return { payment: nextPayment, refusal: booked };
}

/** Records a charge that has no booking, and refunds it in full. */
export async function markPaidAndRefundUnbooked(
  payment: Payment,
  { id }: ProviderPayment,
  reason: string,
): Promise<null> {
  const createdRefunds: (Refund | null)[] = [];
  const paid = await markPaidWithoutBooking(payment, id, async (transaction) => {
    createdRefunds.push(await insertRefundRequest(transaction, payment, { amountCents: payment.amountCents, reason }));
    // The family may never return from the provider's page, so it is notified by email.
    if (payment.state === "waiting") await mailVisitNotBooked(transaction, payment, { isRefunded: true });
    if (payment.state === "closing") await mailReplacedPaymentRefunded(transaction, payment);
  });
  const [refund] = paid ? createdRefunds : [];
  if (refund) await submitOrRefreshRefund(refund);
  return null;
}
