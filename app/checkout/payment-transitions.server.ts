import type { AuditAction } from "../audit/actions.ts";
import { recordAuditInTransaction } from "../audit/record.server.ts";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { registerHoldReleasedHandler } from "../booking/holds/release-holds.server.ts";
import { now } from "../clock.ts";
import { db, inTransaction, type Transaction } from "../db/client.server.ts";
import type { Refusal } from "../http/outcome.ts";
import type { HostedCheckout } from "../payments/gateway.ts";
import { isLegalTransition, type PaymentState } from "./payment-states.ts";
import { mailReceiptReady, mailCardNotCharged, mailNotBooked } from "./payment-mails.server.ts";
import { PAYMENT_COLUMNS, type Payment } from "./find-payment.server.ts";
import { newLeaseExpiry, MAX_LEASED } from "./payment-lease.server.ts";

/*
 * Every change of a payment's state: one function per legal transition (payment-states.ts).
 * A transition is one transaction that also writes `payment_steps`. Who decides on one is elsewhere: a request
 * (pay-by-card, hosted-checkout), or advance-payment. Docs: docs/decisions/0005.
 */
/** States that must be advanced until they are final. */
export const UNFINISHED_STATES = ["started", "waiting", "authorized", "booked", "voiding", "closing"];

/** Unfinished, and not merely waiting for a family. */
export const IN_PROGRESS_STATES = UNFINISHED_STATES.filter((state) => state !== "waiting");

/** The first 500 unfinished payments whose lease has ended: booked ones first, then those that have waited longest. */
export function findLeasablePayments(provider: string) {
  return db.payment.findMany({
    where: { provider, state: { in: UNFINISHED_STATES }, leaseEndsAt: { lte: now() } },
    orderBy: [{ state: "asc" }, { leaseEndsAt: "asc" }],
    take: MAX_LEASED,
    select: PAYMENT_COLUMNS,
  });
}

/** What a family reads of a change; the states in between say nothing to it. */
const STATE_ACTIONS: Record<string, AuditAction> = {
  authorized: "payment-authorized",
  paid: "payment-paid",
  declined: "payment-declined",
  voided: "payment-voided",
};

type NewPaymentRow = Omit<Prisma.PaymentUncheckedCreateInput, "state" | "transitions" | "createdAt" | "userId"> & {
  userId: number | null;
};

/** Inserts a payment in its first state: `started` online, `paid` when taken in person. Returns its id. */
export async function insertPayment(
  transaction: Transaction,
  state: "started" | "paid",
  row: NewPaymentRow & { createdAt: Date },
): Promise<number> {
  const data = { ...row, state, transitions: { create: { state, at: row.createdAt } } };
  const { id } = await transaction.payment.create({ data, select: { id: true } });
  const action = state === "paid" ? "payment-recorded" : "payment-started";
  recordAuditInTransaction(transaction, { action, familyId: row.userId, objectId: id });
  return id;
}

/** started → authorized: the provider has reserved the amount on the card. */
export function markAuthorized(payment: Payment, providerPaymentId: string) {
  return transitionPayment(payment, { state: "authorized", providerPaymentId });
}

/** started → waiting: the family is sent to the provider's page, which closes at `expiresAt` (UTC). */
export function markCheckoutOpen(payment: Payment, { id, url, orderId }: HostedCheckout, expiresAt: Date) {
  const checkout = { checkoutId: id, checkoutUrl: url, orderId };
  return transitionPayment(payment, { state: "waiting", ...checkout, leaseEndsAt: expiresAt });
}

/** started → declined: certainly nothing was reserved. The time is free again. */
export function markDeclined(payment: Payment, refusal: Refusal) {
  return transitionPayment(payment, { state: "declined", refusal: JSON.stringify(refusal) }, releasingHold(payment));
}

/**
 * authorized, waiting → booked, within the transaction that inserts the appointment in place of the hold. False when
 * another worker changed the payment first: the caller must roll back.
 */
export async function markBooked(transaction: Transaction, payment: Payment, providerPaymentId?: string) {
  await deleteHold(transaction, payment.id);
  return updatePayment(transaction, payment, {
    state: "booked",
    ...(providerPaymentId === undefined ? {} : { providerPaymentId }),
  });
}

/** booked → paid: the provider has confirmed the charge. The appointment is marked paid. */
export function markPaid(payment: Payment) {
  const paidAt = now();
  const data = { paymentStatus: "paid", paymentId: payment.providerPaymentId, paymentDate: paidAt };
  const after = (transaction: Transaction) => mailReceiptReady(transaction, payment.id, paidAt);
  return transitionPayment(payment, { state: "paid", paidAt }, { ...updatingAppointment(payment, data), after });
}

/**
 * waiting, closing, voiding → paid: charged, although nothing is booked for it. `after` writes the full refund in the
 * same transaction.
 */
export function markPaidWithoutBooking(payment: Payment, providerPaymentId: string, after: TransactionHook) {
  const changes = { state: "paid", paidAt: now(), providerPaymentId } as const;
  return transitionPayment(payment, changes, { ...releasingHold(payment), after });
}

type VoidingChanges = { refusal?: Refusal | undefined; providerPaymentId?: string; mismatch?: string };

/** started, authorized, waiting, closing → voiding: nothing shall be charged. The time is free at once. */
export function startVoiding(payment: Payment, changes: VoidingChanges = {}) {
  return transitionPayment(payment, { state: "voiding", ...toColumns(changes) }, releasingHold(payment));
}

/** booked → voiding: the charge is not the one that was requested. The appointment is canceled as unpaid. */
export function startVoidingBooked(payment: Payment, changes: VoidingChanges) {
  return transitionPayment(payment, { state: "voiding", ...toColumns(changes) }, cancellingAsUnpaid(payment));
}

/** declined, voided → voiding: the provider holds something after all. Takes a lease. */
export function reopenForVoiding(payment: Payment, changes: { providerPaymentId?: string }) {
  return transitionPayment(payment, { state: "voiding", ...changes, leaseEndsAt: newLeaseExpiry() });
}

/** voiding → voided: the provider confirmed that it holds nothing. */
export function markVoided(payment: Payment, changes: VoidingChanges = {}) {
  return transitionPayment(payment, { state: "voided", ...toColumns(changes) });
}

/** unfinished → voided without the provider. close-restored-payments alone knows when that is right. */
export async function voidWithoutProvider(transaction: Transaction, payment: Payment): Promise<void> {
  const state = isLegalTransition(payment.state, "voided") ? "voided" : "voiding";
  await updatePayment(transaction, payment, { state });
  if (state === "voiding") await voidWithoutProvider(transaction, { ...payment, state, version: payment.version + 1 });
}

/** booked → voided: the reservation is gone at the provider. The appointment is canceled as unpaid. */
export function markBookedVoided(payment: Payment) {
  return transitionPayment(payment, { state: "voided" }, cancellingAsUnpaid(payment));
}

/** waiting, closing → voided: the provider's page is closed and nobody paid there. The time is free. */
export function markCheckoutVoided(payment: Payment) {
  const after = (transaction: Transaction) => mailNotBooked(transaction, payment, { isRefunded: false });
  // What is closing was left for something else.
  const hooks = { ...releasingHold(payment), ...(payment.state === "waiting" && { after }) };
  return transitionPayment(payment, { state: "voided" }, hooks);
}

// waiting → closing: the family booked something else, or its account was closed. The page must not be paid anymore.
registerHoldReleasedHandler(async (transaction, payment) => {
  if (payment.state === "waiting") await updatePayment(transaction, payment, { state: "closing", leaseEndsAt: now() });
});

/**
 * Takes a lease until `leaseEndsAt` (UTC; undefined leaves the lease as it is), without a change of state. Null when
 * another worker changed the payment first.
 */
export async function leasePayment(payment: Payment, leaseEndsAt?: Date): Promise<Payment | null> {
  const changes = leaseEndsAt ? { leaseEndsAt } : {};
  const isLeased = await updatePayment(db, payment, changes);
  return isLeased ? { ...payment, ...changes, version: payment.version + 1 } : null;
}

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

/**
 * Applies `changes` under optimistic locking and records a new state in `payment_steps`. False when another worker
 * changed the payment first. Throws on a transition that payment-states.ts does not list. Atomic only in a transaction.
 */
async function updatePayment(
  client: Transaction,
  { id, version, state, userId }: { id: number; version: number; state: string; userId?: number | null },
  changes: PaymentChanges,
): Promise<boolean> {
  if (changes.state && !isLegalTransition(state, changes.state))
    throw new Error(`Payment ${id} can't change from ${state} to ${changes.state}.`);
  const data = { ...changes, version: version + 1, updatedAt: now() };
  const { count } = await client.payment.updateMany({ where: { id, version }, data });
  if (count === 0) return false;
  if (changes.state)
    await client.paymentTransition.create({ data: { paymentId: id, state: changes.state, at: now() } });
  const action = changes.mismatch ? "payment-flagged" : STATE_ACTIONS[changes.state ?? ""];
  if (action) recordAuditInTransaction(client, { action, familyId: userId ?? null, objectId: id });
  return true;
}

type TransactionHook = (transaction: Transaction) => Promise<unknown>;

/**
 * Applies `changes` in a transaction of its own. Returns the updated payment, or null when another worker changed it
 * first; `before` is then rolled back. Locks are taken in one order everywhere: calendar, appointment, payment.
 */
async function transitionPayment(
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

/** Rolls back a transaction whose payment another worker has changed. */
class StaleVersionError extends Error {}

function toColumns({ refusal, ...changes }: VoidingChanges) {
  return refusal ? { ...changes, refusal: JSON.stringify(refusal) } : changes;
}

const CANCELLED_AS_UNPAID = {
  status: "cancelled",
  paymentStatus: "failed",
  calendarSequence: { increment: 1 },
  network: null,
  wideNetwork: null,
};

function updatingAppointment({ appointmentId }: Payment, data: Prisma.AppointmentUpdateManyMutationInput) {
  const where = { id: appointmentId ?? 0 };
  return { before: (transaction: Transaction) => transaction.appointment.updateMany({ where, data }) };
}

function cancellingAsUnpaid(payment: Payment) {
  const after = (transaction: Transaction) => mailCardNotCharged(transaction, payment.appointmentId ?? 0);
  return { ...updatingAppointment(payment, CANCELLED_AS_UNPAID), after };
}

function releasingHold({ id }: Payment) {
  return { before: (transaction: Transaction) => deleteHold(transaction, id) };
}

function deleteHold(transaction: Transaction, paymentId: number) {
  return transaction.hold.deleteMany({ where: { paymentId } });
}
