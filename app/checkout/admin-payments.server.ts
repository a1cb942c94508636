import { randomUUID } from "node:crypto";
import { assertAdministrator, refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { DAY_MS } from "../time-units.ts";
import { db, inTransaction } from "../db/database-client.server.ts";
import { isUniqueViolation } from "../db/database-errors.server.ts";
import { accepted, invalidField, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { findAppointment } from "../booking/find-appointment.server.ts";
import { mailReceiptReady, mailReceiptVoided } from "./payment-mails.server.ts";
import { insertPayment } from "./payment-transitions.server.ts";
import { voidInPersonPayment } from "./void-in-person-payment.server.ts";
import { insertRefundRequest, findRefund, submitOrRefreshRefund } from "./refunds.server.ts";
import { rollbackIf, tryTransaction } from "../booking/rollback.server.ts";
import { formatCents, parseDollarsAsCents } from "../ui/format-currency.ts";
import { type InPersonMethod, isInPersonMethod } from "./payment-methods.ts";
import { unrefundedCents } from "../booking/prices/cancellation-policy.ts";

/**
 * Lists the payments of an appointment with their refunds, latest first, for the administrator. Throws for anyone else.
 * Amounts are US cents, instants UTC.
 */
export async function listAppointmentPayments(person: Person, appointmentId: number) {
  assertAdministrator(person);
  return db.payment.findMany({
    where: { appointmentId, state: { in: ["booked", "paid"] } },
    orderBy: { id: "desc" },
    select: {
      id: true,
      method: true,
      state: true,
      amountCents: true,
      refundedCents: true,
      paidAt: true,
      note: true,
      refunds: {
        orderBy: { id: "asc" },
        select: { id: true, amountCents: true, reason: true, state: true, createdAt: true },
      },
    },
  });
}

/**
 * Records that a visit was paid in full in person. Refusals: forbidden, notFound, conflict (no price, already paid,
 * canceled, or an online payment in flight).
 */
export async function recordInPersonPayment(
  person: Person,
  id: number | null,
  { method, note }: { method: InPersonMethod; note?: string },
): Promise<Outcome<{ amountCents: number }>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const { id: appointmentId, userId, title, appointmentDate, paymentAmountCents: amountCents } = found.value;
  if (!amountCents) return refused("conflict", "This appointment has no price.");
  const booking = JSON.stringify({ title, appointmentDate });
  const paidAt = now();
  const recorded = await tryTransaction(async (transaction) => {
    const where = { id: appointmentId, paymentId: null, waivedAt: null, status: { not: "cancelled" } };
    // Locks the appointment, so that only one of two concurrent recordings succeeds.
    const { count } = await transaction.appointment.updateMany({ where, data: { updatedAt: now() } });
    rollbackIf(count === 0 ? notPayableRefusal() : null);
    const inFlightCount = await transaction.payment.count({ where: { appointmentId, state: "booked" } });
    rollbackIf(
      inFlightCount > 0
        ? refused("conflict", "A card payment for it is still being settled. Please try again in a minute.")
        : null,
    );
    const paymentId = await insertPayment(transaction, "paid", {
      userId,
      appointmentId,
      method,
      key: randomUUID(),
      booking,
      amountCents,
      leaseEndsAt: paidAt,
      note: note ?? null,
      recordedById: person.id,
      paidAt,
      createdAt: paidAt,
    });
    const data = { paymentStatus: "paid", paymentId: inPersonPaymentId(paymentId), paymentDate: paidAt };
    await transaction.appointment.updateMany({ where: { id: appointmentId }, data });
    await mailReceiptReady(transaction, paymentId, paidAt);
  });
  return recorded.ok ? accepted({ amountCents }) : recorded;
}

/**
 * Records that several visits were paid in full in person, each in a separate transaction. Returns the ids of the
 * recorded visits, their total in US cents, and the ids of the refused visits (paid, canceled or deleted in the
 * meantime). Refusals when no visit was recorded: forbidden, or the refusal of the last visit.
 */
export async function recordInPersonPayments(
  person: Person,
  ids: readonly number[],
  paymentDetails: { method: InPersonMethod; note?: string },
): Promise<Outcome<{ recordedIds: number[]; refusedIds: number[]; amountCents: number }>> {
  const result = { recordedIds: [] as number[], refusedIds: [] as number[], amountCents: 0 };
  let refusal = refusalUnlessAdmin(person);
  for (const id of refusal ? [] : ids) {
    const recorded = await recordInPersonPayment(person, id, paymentDetails);
    (recorded.ok ? result.recordedIds : result.refusedIds).push(id);
    if (recorded.ok) result.amountCents += recorded.value.amountCents;
    else refusal = recorded;
  }
  return refusal && result.recordedIds.length === 0 ? refusal : accepted(result);
}

/**
 * Undoes an in-person payment that was recorded by mistake, within 7 days, so that the visit is to be paid again. The
 * family is told that its receipt is not valid. Refusals: forbidden, notFound, conflict (not in person, refunded,
 * undone already, older than 7 days, or the visit is canceled).
 */
export async function undoInPersonPayment(
  person: Person,
  id: number | null,
  paymentId: number,
): Promise<Outcome<{ amountCents: number }>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const { id: appointmentId, status } = found.value;
  const payment = await db.payment.findFirst({ where: { id: paymentId, appointmentId }, select: UNDO_SELECT });
  if (!payment) return refused("notFound", "There is no such payment.");
  if (payment.state === "voided") return refused("conflict", "This payment is already undone.");
  if (status === "cancelled")
    return refused("conflict", "This visit is canceled, so its payment can't be undone. Refund it instead.");
  if (!canUndoInPersonPayment(payment, status))
    return refused("conflict", "Only a payment in person of the last 7 days can be undone. Refund it instead.");
  const undone = await tryTransaction(async (transaction) => {
    const { count } = await transaction.appointment.updateMany({
      where: { id: appointmentId, paymentId: inPersonPaymentId(paymentId), status: { not: "cancelled" } },
      data: { paymentStatus: "pending", paymentId: null, paymentDate: null },
    });
    const isVoided = count === 1 && (await voidInPersonPayment(transaction, paymentId));
    rollbackIf(
      isVoided ? null : refused("conflict", "This visit was changed in the meantime. Please look at it again."),
    );
    await mailReceiptVoided(transaction, paymentId);
  });
  return undone.ok ? accepted({ amountCents: payment.amountCents }) : undone;
}

const UNDO_SELECT = { method: true, state: true, amountCents: true, refundedCents: true, paidAt: true } as const;
const MAX_UNDO_AGE_MS = 7 * DAY_MS;

type UndoablePayment = { method: string; state: string; refundedCents: number; paidAt: Date | null };

/**
 * Checks whether a payment can be undone: recorded in person within the last 7 days and not refunded, of a visit (with
 * `visitStatus`) that is not canceled.
 */
export function canUndoInPersonPayment(
  { method, state, refundedCents, paidAt }: UndoablePayment,
  visitStatus: string,
): boolean {
  const isRecent = paidAt !== null && now().getTime() - paidAt.getTime() <= MAX_UNDO_AGE_MS;
  const isUndoable = isInPersonMethod(method) && state === "paid" && refundedCents === 0;
  return isUndoable && isRecent && visitStatus !== "cancelled";
}

/** Returns the payment id that an appointment shows for a payment in person. */
function inPersonPaymentId(paymentId: number): string {
  return `in-person-${paymentId}`;
}

/**
 * Refunds any remaining amount of a payment for the administrator, regardless of the cancellation terms. `amount` is in
 * US dollars as typed. A repeated `key` is a conflict. A refund of an in-person payment is only recorded. Refusals:
 * forbidden, invalid (amount), notFound, conflict.
 */
export async function issueAdminRefund(
  person: Person,
  appointmentId: number | null,
  { paymentId, amount, reason, key }: { paymentId: number; amount: string; reason: string; key: string },
): Promise<Outcome<{ amountCents: number; isRefundPending: boolean }>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const amountCents = parseDollarsAsCents(amount);
  if (!amountCents) return invalidField("amount", "Enter an amount in dollars, such as 37.50.");
  const payment = await db.payment.findFirst({
    where: { id: paymentId, appointmentId: appointmentId ?? 0, state: "paid" },
    select: { id: true, amountCents: true, refundedCents: true },
  });
  if (!payment) return refused("notFound", "There is no such payment.");
  try {
    const refund = await inTransaction((transaction) =>
      insertRefundRequest(transaction, payment, { amountCents, reason, decidedById: person.id, key }),
    );
    if (!refund)
      return invalidField("amount", `At most ${formatCents(unrefundedCents(payment))} is left of this payment.`);
    return accepted({
      amountCents,
      isRefundPending: !(await submitOrRefreshRefund((await findRefund({ id: refund.id })) ?? refund)),
    });
  } catch (error) {
    if (isUniqueViolation(error)) return refused("conflict", "This refund is already on its way.");
    throw error;
  }
}

function notPayableRefusal(): Refusal {
  return refused("conflict", "This appointment is already paid, or canceled, or nothing is owed for it.");
}
