import { registerHoldReleasedHandler } from "../booking/holds.server.ts";
import { now } from "../clock.ts";
import { db, inTransaction, type Transaction } from "../db/client.server.ts";

export type PaymentState =
  | "started"
  | "waiting"
  | "authorized"
  | "booked"
  | "paid"
  | "voiding"
  | "closing"
  | "declined"
  | "voided";

/** What is still to be brought to an end. */
export const UNFINISHED_STATES = ["started", "waiting", "authorized", "booked", "voiding", "closing"];

/** Longer than a request can be at work on a payment: after that it died, and the reconciler takes over. */
const LEASE_MS = 30_000;

const PAYMENT_COLUMNS = {
  id: true,
  userId: true,
  appointmentId: true,
  method: true,
  provider: true,
  key: true,
  asked: true,
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

/** One attempt to pay, or one payment taken in person; amounts are cents, instants UTC. */
export type Payment = NonNullable<Awaited<ReturnType<typeof findPayment>>>;

type PaymentChanges = {
  state?: PaymentState;
  leaseEndsAt?: Date;
  providerPaymentId?: string;
  checkoutId?: string;
  checkoutUrl?: string;
  orderId?: string;
  refusal?: string;
  mismatch?: string;
  paidAt?: Date;
};

type PaymentLookup = { id: number } | { key: string } | { orderId: string } | { providerPaymentId: string };

export function findPayment(lookup: PaymentLookup | { userId_callerKey: { userId: number; callerKey: string } }) {
  return db.payment.findUnique({ where: lookup, select: PAYMENT_COLUMNS });
}

export function leaseExpiry(): Date {
  return new Date(now().getTime() + LEASE_MS);
}

/** Payments that are unfinished and that nobody is at work on: those that are booked first, then the longest waiting. */
export function findClaimablePayments(provider: string) {
  return db.payment.findMany({
    where: { provider, state: { in: UNFINISHED_STATES }, leaseEndsAt: { lte: now() } },
    orderBy: [{ state: "asc" }, { leaseEndsAt: "asc" }],
    select: PAYMENT_COLUMNS,
  });
}

/**
 * Changes a payment that still is what the caller read, and writes the new state down; false when somebody else was
 * faster. All or nothing only within a transaction.
 */
export async function updatePayment(
  client: Transaction,
  { id, version }: { id: number; version: number },
  changes: PaymentChanges,
): Promise<boolean> {
  const where = { id, version };
  const { count } = await client.payment.updateMany({
    where,
    data: { ...changes, version: version + 1, updatedAt: now() },
  });
  if (count === 0) return false;
  if (changes.state) await client.paymentStep.create({ data: { paymentId: id, state: changes.state, at: now() } });
  return true;
}

type TransactionHook = (transaction: Transaction) => Promise<unknown>;

/**
 * The same in a transaction of its own; null when somebody else was faster, else the payment as it is now. `before`
 * is undone then. What is locked is locked in one order everywhere: the calendar, the appointment, the payment.
 */
export async function transitionPayment(
  payment: Payment,
  changes: PaymentChanges,
  { before, after }: { before?: TransactionHook; after?: TransactionHook } = {},
): Promise<Payment | null> {
  try {
    await inTransaction(async (transaction) => {
      await before?.(transaction);
      if (!(await updatePayment(transaction, payment, changes))) throw new StaleVersionError();
      await after?.(transaction);
    });
  } catch (error) {
    if (error instanceof StaleVersionError) return null;
    throw error;
  }
  return { ...payment, ...changes, version: payment.version + 1 };
}

/** Undoes the transaction: somebody else has brought this payment on. */
class StaleVersionError extends Error {}

export async function deleteHold(transaction: Transaction, paymentId: number): Promise<void> {
  await transaction.hold.deleteMany({ where: { paymentId } });
}

// The family booked something else, or its account was closed: the provider's page must not be paid any more.
registerHoldReleasedHandler(async (transaction, payment) => {
  if (payment.state === "waiting") await updatePayment(transaction, payment, { state: "closing", leaseEndsAt: now() });
});
