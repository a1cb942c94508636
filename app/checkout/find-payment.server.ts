import type { Person } from "../accounts/person.ts";
import type { BookingFields } from "../booking/schemas.ts";
import { db } from "../db/client.server.ts";
import { isUnreadable } from "../db/text-encryption.server.ts";

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

/**
 * The visit that was paid with a family's idempotency key, whose answer was lost on the way; null where nothing was, and
 * once the visit is canceled.
 */
export async function findPaidVisitId(person: Person, idempotencyKey: string): Promise<number | null> {
  const payment = await db.payment.findUnique({
    where: { userId_idempotencyKey: { userId: person.id, idempotencyKey } },
    select: { state: true, appointment: { select: { id: true, status: true } } },
  });
  if (payment?.state !== "paid" || payment.appointment?.status === "cancelled") return null;
  return payment.appointment?.id ?? null;
}

/**
 * `consultationRequestId`: of a visit without an account that was deleted, the request that it was scheduled from.
 * `isClosedByRestore`: nothing is done at the provider anymore (close-restored-payments).
 */
export type StoredBooking = BookingFields & { consultationRequestId?: number; isClosedByRestore?: boolean };

/** The booking that a payment is for; null where its text can't be decrypted. */
export function parseBookingFields({ booking }: Pick<Payment, "booking">): StoredBooking | null {
  if (isUnreadable(booking)) return null;
  const fields = JSON.parse(booking) as StoredBooking & { appointmentDate: string };
  return { ...fields, appointmentDate: new Date(fields.appointmentDate) };
}
