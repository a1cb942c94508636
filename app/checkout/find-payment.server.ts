import type { Person } from "../accounts/person.ts";
import type { BookingValues } from "../booking/booking-schemas.ts";
import { db } from "../db/database-client.server.ts";
import { isUnreadable } from "../db/text-encryption.server.ts";

export const PAYMENT_SELECT = {
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

/** One payment attempt, or one payment taken in person. Amounts are US cents, instants UTC. */
export type Payment = NonNullable<Awaited<ReturnType<typeof findPayment>>>;

type PaymentLookup =
  | { id: number }
  | { key: string }
  | { orderId: string }
  | { providerPaymentId: string }
  | { userId_idempotencyKey: { userId: number; idempotencyKey: string } };

/** Finds any family's payment by one of its unique columns; null when there is none. The caller must check access. */
export function findPayment(lookup: PaymentLookup) {
  return db.payment.findUnique({ where: lookup, select: PAYMENT_SELECT });
}

/**
 * Finds the visit that was paid with a family's idempotency key, for a retry after a lost response. Null when nothing
 * was paid with that key, and when the visit is canceled.
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
 * `consultationRequestId`: the request that a deleted visit without an account was scheduled from. `isClosedByRestore`:
 * nothing more may be done at the provider (close-payments-of-erased-family).
 */
export type StoredBooking = BookingValues & { consultationRequestId?: number; isClosedByRestore?: boolean };

/** Returns the booking that a payment is for; null when its text can't be decrypted. */
export function parseStoredBooking({ booking }: Pick<Payment, "booking">): StoredBooking | null {
  if (isUnreadable(booking)) return null;
  const fields = JSON.parse(booking) as StoredBooking & { appointmentDate: string };
  return { ...fields, appointmentDate: new Date(fields.appointmentDate) };
}
