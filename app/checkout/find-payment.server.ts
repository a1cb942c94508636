import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";

/** Longer than one request works on a payment. An older lease belongs to a request that died. */
const LEASE_MS = 30_000;

export const PAYMENT_COLUMNS = {
  id: true,
  userId: true,
  appointmentId: true,
  method: true,
  provider: true,
  key: true,
  requestHash: true,
  booking: true,
  amountCents: true,
  refundedCents: true,
  state: true,
  version: true,
  leaseEndsAt: true,
  providerPaymentId: true,
  checkoutId: true,
  checkoutUrl: true,
  orderId: true,
  refusal: true,
  mismatch: true,
  paidAt: true,
  createdAt: true,
} as const;

/** One attempt to pay, or one payment taken in person. Amounts are US cents, instants UTC. */
export type Payment = NonNullable<Awaited<ReturnType<typeof findPayment>>>;

type PaymentLookup =
  | { id: number }
  | { key: string }
  | { orderId: string }
  | { providerPaymentId: string }
  | { userId_idempotencyKey: { userId: number; idempotencyKey: string } };

/** Any family's payment, by one of its unique columns; null when there is none. Access checks are the caller's. */
export function findPayment(lookup: PaymentLookup) {
  return db.payment.findUnique({ where: lookup, select: PAYMENT_COLUMNS });
}

/** The end (UTC) of a lease taken now. */
export function leaseExpiry(): Date {
  return new Date(now().getTime() + LEASE_MS);
}
