import type { AuditAction } from "../audit/audit-actions.ts";
import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { registerHoldReleasedHandler } from "../booking/holds/release-holds.server.ts";
import { now } from "../clock.ts";
import { db, inTransaction, type Transaction } from "../db/database-client.server.ts";
import type { Refusal } from "../http/outcome.ts";
import type { HostedCheckout } from "../payments/payment-gateway.ts";
import { isLegalTransition, type PaymentState } from "./payment-states.ts";
import { mailReceiptReady, mailCardNotCharged, mailVisitNotBooked } from "./payment-mails.server.ts";
import { PAYMENT_SELECT, type Payment } from "./find-payment.server.ts";
import { newLeaseExpiry, LEASE_BATCH_SIZE } from "./payment-lease.server.ts";

/*
 * All changes of a payment's state: one function for each legal transition (payment-states.ts). A transition is one
 * transaction that also writes `payment_steps`. Its callers decide which one to make: a request (pay-by-card,
 * hosted-checkout) or advance-payment. Docs: docs/decisions/0005.
 */
/** States that must be advanced until they are final. */
export const UNFINISHED_STATES = ["started", "waiting", "authorized", "booked", "voiding", "closing"];

/** Unfinished states, except the one that waits for the family. */
export const IN_PROGRESS_STATES = UNFINISHED_STATES.filter((state) => state !== "waiting");

/** Finds at most 500 unfinished payments whose lease has ended: authorized and booked ones first, each by lease end. */
export function findLeasablePayments(provider: string) {
  return db.payment.findMany({
    where: { provider, state: { in: UNFINISHED_STATES }, leaseEndsAt: { lte: now() } },
    orderBy: [{ state: "asc" }, { leaseEndsAt: "asc" }],
    take: LEASE_BATCH_SIZE,
    select: PAYMENT_SELECT,
  });
}

/** Changes that are written to the family's access log. Intermediate states mean nothing to a family. */
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

/** started → waiting: the family is redirected to the provider's page, which closes at `expiresAt` (UTC). */
export function markCheckoutOpen(payment: Payment, { id, url, orderId }: HostedCheckout, expiresAt: Date) {
  const checkout = { checkoutId: id, checkoutUrl: url, orderId };
  return transitionPayment(payment, { state: "waiting", ...checkout, leaseEndsAt: expiresAt });
}

/** started → declined: it is certain that nothing was reserved. The time is free again. */
export function markDeclined(payment: Payment, refusal: Refusal) {
  return transitionPayment(payment, { state: "declined", refusal: JSON.stringify(refusal) }, deleteHoldHooks(payment));
}

/**
 * authorized, waiting → booked, within the transaction that inserts the appointment and deletes the hold. Returns false
 * when another worker changed the payment first; the caller must then roll back.
 */
export async function markBooked(transaction: Transaction, payment: Payment, providerPaymentId?: string) {
  await deleteHold(transaction, payment.id);
  return updatePaymentIfUnchanged(transaction, payment, {
    state: "booked",
    ...(providerPaymentId === undefined ? {} : { providerPaymentId }),
  });
}

/** booked → paid: the provider has confirmed the charge. The appointment is marked paid. */
export function markPaid(payment: Payment) {
  const paidAt = now();
  const data = { paymentStatus: "paid", paymentId: payment.providerPaymentId, paymentDate: paidAt };
  const after = (transaction: Transaction) => mailReceiptReady(transaction, payment.id, paidAt);
  return transitionPayment(payment, { state: "paid", paidAt }, { ...updateAppointmentHooks(payment, data), after });
}

/**
 * waiting, closing, voiding → paid: charged, although no appointment is booked for it. `after` writes the full refund
 * in the same transaction.
 */
export function markPaidWithoutBooking(payment: Payment, providerPaymentId: string, after: TransactionHook) {
  const changes = { state: "paid", paidAt: now(), providerPaymentId } as const;
  return transitionPayment(payment, changes, { ...deleteHoldHooks(payment), after });
}

type VoidingChanges = { refusal?: Refusal | undefined; providerPaymentId?: string; mismatch?: string };

/** started, authorized, waiting, closing → voiding: nothing may be charged. The time is free immediately. */
export function startVoiding(payment: Payment, changes: VoidingChanges = {}) {
  return transitionPayment(payment, { state: "voiding", ...toColumns(changes) }, deleteHoldHooks(payment));
}

/** booked → voiding: the charge differs from the request. The appointment is canceled as unpaid. */
export function startVoidingBooked(payment: Payment, changes: VoidingChanges) {
  return transitionPayment(payment, { state: "voiding", ...toColumns(changes) }, cancelAsUnpaidHooks(payment));
}

/** declined, voided → voiding: the provider has authorized or charged something after all. Takes a lease. */
export function reopenForVoiding(payment: Payment, changes: { providerPaymentId?: string }) {
  return transitionPayment(payment, { state: "voiding", ...changes, leaseEndsAt: newLeaseExpiry() });
}

/** voiding → voided: the provider confirmed that nothing is authorized or charged. */
export function markVoided(payment: Payment, changes: VoidingChanges = {}) {
  return transitionPayment(payment, { state: "voided", ...toColumns(changes) });
}

/** unfinished → voided without calling the provider. Only for close-payments-of-erased-family. */
export async function voidWithoutProvider(transaction: Transaction, payment: Payment): Promise<void> {
  const state = isLegalTransition(payment.state, "voided") ? "voided" : "voiding";
  await updatePaymentIfUnchanged(transaction, payment, { state });
  if (state === "voiding") await voidWithoutProvider(transaction, { ...payment, state, version: payment.version + 1 });
}

/** booked → voided: the authorization is gone at the provider. The appointment is canceled as unpaid. */
export function cancelBookingAsUnpaid(payment: Payment) {
  return transitionPayment(payment, { state: "voided" }, cancelAsUnpaidHooks(payment));
}

/** waiting, closing → voided: the provider's page is closed without a payment. The time is free. */
export function markCheckoutVoided(payment: Payment) {
  const after = (transaction: Transaction) => mailVisitNotBooked(transaction, payment, { isRefunded: false });
  // No message in state closing: the family replaced the page by something else.
  const hooks = { ...deleteHoldHooks(payment), ...(payment.state === "waiting" && { after }) };
  return transitionPayment(payment, { state: "voided" }, hooks);
}

// waiting → closing: the family booked something else, or its account was closed. The page must not be paid.
registerHoldReleasedHandler(async (transaction, payment) => {
  if (payment.state === "waiting")
    await updatePaymentIfUnchanged(transaction, payment, { state: "closing", leaseEndsAt: now() });
});

/** Takes a lease until `leaseEndsAt` (UTC; default: the current one). Returns null when another worker was first. */
export async function leasePayment(payment: Payment, leaseEndsAt?: Date): Promise<Payment | null> {
  const { id, version } = payment;
  const changes = { ...(leaseEndsAt && { leaseEndsAt }), version: version + 1 };
  const { count } = await db.payment.updateMany({ where: { id, version }, data: { ...changes, updatedAt: now() } });
  return count === 0 ? null : { ...payment, ...changes };
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
 * Applies `changes` with optimistic locking and records a new state in `payment_steps`. Returns false when another
 * worker changed the payment first. Throws on a transition that is not legal.
 */
async function updatePaymentIfUnchanged(
  transaction: Transaction,
  { id, version, state, userId }: { id: number; version: number; state: string; userId?: number | null },
  changes: PaymentChanges,
): Promise<boolean> {
  if (changes.state && !isLegalTransition(state, changes.state))
    throw new Error(`Payment ${id} can't change from ${state} to ${changes.state}.`);
  const data = { ...changes, version: version + 1, updatedAt: now() };
  const { count } = await transaction.payment.updateMany({ where: { id, version }, data });
  if (count === 0) return false;
  if (changes.state)
    await transaction.paymentTransition.create({ data: { paymentId: id, state: changes.state, at: now() } });
  const action = changes.mismatch ? "payment-flagged" : STATE_ACTIONS[changes.state ?? ""];
  if (action) recordAuditInTransaction(transaction, { action, familyId: userId ?? null, objectId: id });
  return true;
}

type TransactionHook = (transaction: Transaction) => Promise<unknown>;

/**
 * Applies `changes` in a separate transaction. Returns the updated payment, or null when another worker changed it
 * first; `before` is then rolled back. All code takes locks in the same order: calendar, appointment, payment.
 */
async function transitionPayment(
  payment: Payment,
  changes: PaymentChanges,
  { before, after }: { before?: TransactionHook; after?: TransactionHook } = {},
): Promise<Payment | null> {
  try {
    await inTransaction(async (transaction) => {
      await before?.(transaction);
      if (!(await updatePaymentIfUnchanged(transaction, payment, changes))) throw new StaleVersionError();
      await after?.(transaction);
    });
  } catch (error) {
    if (error instanceof StaleVersionError) return null;
    throw error;
  }
  return { ...payment, ...changes, version: payment.version + 1 };
}

/** Rolls back a transaction when another worker has changed the payment. */
class StaleVersionError extends Error {}

function toColumns({ refusal, ...changes }: VoidingChanges) {
  return refusal ? { ...changes, refusal: JSON.stringify(refusal) } : changes;
}

const CANCELED_AS_UNPAID_DATA = {
  status: "cancelled",
  paymentStatus: "failed",
  calendarSequence: { increment: 1 },
  network: null,
  wideNetwork: null,
};

function updateAppointmentHooks({ appointmentId }: Payment, data: Prisma.AppointmentUpdateManyMutationInput) {
  const where = { id: appointmentId ?? 0 };
  return { before: (transaction: Transaction) => transaction.appointment.updateMany({ where, data }) };
}

function cancelAsUnpaidHooks(payment: Payment) {
  const after = (transaction: Transaction) => mailCardNotCharged(transaction, payment.appointmentId ?? 0);
  return { ...updateAppointmentHooks(payment, CANCELED_AS_UNPAID_DATA), after };
}

function deleteHoldHooks({ id }: Payment) {
  return { before: (transaction: Transaction) => deleteHold(transaction, id) };
}

function deleteHold(transaction: Transaction, paymentId: number) {
  return transaction.hold.deleteMany({ where: { paymentId } });
}
