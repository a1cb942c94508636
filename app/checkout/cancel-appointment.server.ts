import { recordAuditInTransaction } from "../audit/record.server.ts";
import { refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { type Transaction } from "../db/client.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import {
  type Appointment,
  findAppointment,
  accessibleBy,
  appointmentNotFoundRefusal,
} from "../booking/appointments.server.ts";
import { canCancel, FINAL_STATUSES, isConcluded } from "../booking/appointment-status.ts";
import { notifyCancelled } from "../booking/messages/visit-notifications.server.ts";
import { rollbackIf, tryTransaction } from "../booking/rollback.server.ts";
import { type OnlinePayment, refundDueCents } from "../booking/prices/refund-rule.ts";
import { CANCELLABLE_COLUMNS, ownCancellationText, practiceCancellationText } from "./cancellation-texts.ts";
import { lockOnlinePayment } from "./paid-online.server.ts";
import { createRefund, findRefund, submitOrRefreshRefund } from "./refunds.server.ts";
import { keepRequestOfPayments } from "./keep-request-of-payments.server.ts";

const PAYMENT_IN_FLIGHT = "The payment for this visit is still being settled. Please try again in a minute.";
const CANCELLED_BY_FAMILY = "Canceled by the family";
const DELETED_BY_PRACTICE = "Deleted by the practice";
const CANCELLED_BY_PRACTICE = "Canceled by the practice";
const ACCOUNT_CLOSED = "Canceled by the practice: the account was closed";

/**
 * `updatedAt` is when it was cancelled: the budget of cancellations counts by it. The network is forgotten at once, because
 * the cleanup that would do it later would make it a later cancellation.
 */
const cancelled = (cancelledBy: "family" | "practice", cancelReason: string | null = null) => ({
  status: "cancelled",
  cancelledBy,
  cancelReason,
  calendarSequence: { increment: 1 },
  network: null,
  wideNetwork: null,
  updatedAt: now(),
});

/**
 * `refundCents` is null when nothing was paid online. `isSent` is false while the provider has not accepted the refund.
 */
export type CancellationResult = { appointment: Appointment; refundCents: number | null; isSent: boolean };

/**
 * Cancels a family's own appointment: it stays in the list as cancelled, and its time is free again. The refund due by
 * the terms is submitted before this returns. Refusals: notFound; conflict (cancelled already, over, marked completed
 * or no-show, or its payment is still in flight). Source: docs/product.md, Cancelling.
 */
export async function cancelAppointment(person: Person, id: number | null): Promise<Outcome<CancellationResult>> {
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const appointment = found.value;
  if (FINAL_STATUSES.includes(appointment.status)) return noLongerCancellable(appointment.status);
  if (!canCancel(appointment, now())) return alreadyOver();
  const { appointmentDate } = appointment;
  // Whoever moved it in the meantime came first: the refund depends on the start.
  const where = { id: appointment.id, ...accessibleBy(person), appointmentDate, status: { notIn: FINAL_STATUSES } };
  const closed = await closeWithRefund({
    id: appointment.id,
    familyId: appointment.userId,
    reason: CANCELLED_BY_FAMILY,
    decidedById: null,
    computeRefundCents: (payment) => refundDueCents(payment, appointment.appointmentDate, now()),
    moneyText: ownCancellationText,
    lock: async ({ appointment: appointmentTable }) => {
      const { count } = await appointmentTable.updateMany({ where, data: cancelled("family") });
      if (count === 1) return null;
      const current = await appointmentTable.findUnique({ where: { id: appointment.id }, select: { status: true } });
      return noLongerCancellable(current?.status ?? "cancelled");
    },
  });
  return closed.ok ? accepted({ ...closed.value, appointment: { ...appointment, status: "cancelled" } }) : closed;
}

/**
 * Cancels an upcoming appointment for the administrator, because the family's account is closed. What was paid online
 * is refunded in full. Refusals: forbidden, notFound, conflict (its payment is still in flight).
 */
export async function cancelForClosedAccount(
  person: Person,
  id: number,
  familyId: number,
): Promise<Outcome<Omit<CancellationResult, "appointment">>> {
  const denied = refusalUnlessAdmin(person);
  if (denied) return denied;
  return closeWithRefund({
    id,
    familyId,
    reason: ACCOUNT_CLOSED,
    decidedById: person.id,
    computeRefundCents: (paid) => paid.amountCents - paid.refundedCents,
    lock: async ({ appointment: appointments }) => {
      const where = { id, appointmentDate: { gt: now() }, status: { notIn: FINAL_STATUSES } };
      const { count } = await appointments.updateMany({ where, data: cancelled("practice") });
      return count === 1 ? null : appointmentNotFoundRefusal();
    },
  });
}

/**
 * Cancels an appointment for the administrator with a `reason`, which the family reads: it stays in the lists as
 * cancelled, and its time is free again. What was paid online is refunded in full if it has not begun. Refusals:
 * forbidden; notFound; conflict (cancelled already, over, marked completed or no-show, moved meanwhile, or its payment
 * is still in flight).
 */
export async function cancelByPractice(
  person: Person,
  id: number | null,
  reason: string,
): Promise<Outcome<CancellationResult>> {
  const denied = refusalUnlessAdmin(person);
  if (denied) return denied;
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const appointment = found.value;
  if (FINAL_STATUSES.includes(appointment.status)) return noLongerCancellable(appointment.status);
  if (!canCancel(appointment, now())) return alreadyOver();
  const { appointmentDate } = appointment;
  const where = { id: appointment.id, appointmentDate, status: { notIn: FINAL_STATUSES } };
  const closed = await closeWithRefund({
    id: appointment.id,
    familyId: appointment.userId,
    reason: CANCELLED_BY_PRACTICE,
    decidedById: person.id,
    computeRefundCents: (payment) => practiceRefundCents(appointment, payment, now()),
    lock: async ({ appointment: appointments }) => {
      // Whoever was never told of it has nothing to be told of its end.
      const toldAt = appointment.toldAt === null ? now() : null;
      const data = { ...cancelled("practice", reason), toldAt };
      const { count } = await appointments.updateMany({ where, data });
      return count === 1 ? null : noLongerCancellable("scheduled");
    },
  });
  return closed.ok ? accepted({ ...closed.value, appointment: { ...appointment, status: "cancelled" } }) : closed;
}

/**
 * Deletes an appointment for the administrator; its payments remain. What was paid online is refunded in full if the
 * appointment has not begun and is not marked completed or no-show. Refusals: forbidden, notFound, conflict (its
 * payment is still in flight).
 */
export async function deleteAppointment(person: Person, id: number | null): Promise<Outcome<CancellationResult>> {
  const denied = refusalUnlessAdmin(person);
  if (denied) return denied;
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const { id: appointmentId, appointmentDate } = found.value;
  const where = { id: appointmentId };
  let status = found.value.status;
  const closed = await closeWithRefund({
    id: appointmentId,
    familyId: found.value.userId,
    reason: DELETED_BY_PRACTICE,
    decidedById: person.id,
    computeRefundCents: (payment) => practiceRefundCents({ status, appointmentDate }, payment, now()),
    lock: async ({ appointment: appointmentTable }) => {
      const [locked] = await appointmentTable.updateManyAndReturn({
        where,
        data: { updatedAt: now() },
        select: { status: true },
      });
      status = locked?.status ?? status;
      return locked ? null : appointmentNotFoundRefusal();
    },
    isAlreadyEnded: () => FINAL_STATUSES.includes(status),
    finish: async (transaction) => {
      await keepRequestOfPayments(transaction, found.value);
      await transaction.appointment.deleteMany({ where });
    },
  });
  return closed.ok ? accepted({ ...closed.value, appointment: found.value }) : closed;
}

/** The refund in cents when the administrator cancels or deletes an appointment at `at`. */
export function practiceRefundCents(
  { status, appointmentDate }: { status: string; appointmentDate: Date },
  paid: OnlinePayment,
  at: Date,
): number {
  return appointmentDate > at && !isConcluded(status) ? paid.amountCents - paid.refundedCents : 0;
}

type Closing = {
  id: number;
  familyId: number | null;
  reason: string;
  decidedById: number | null;
  computeRefundCents: (paid: OnlinePayment) => number;
  /** What the family is told about its money; that of the practice's cancellations where it is left out. */
  moneyText?: typeof practiceCancellationText;
  /** Locks the appointment's row; returns a refusal when it can't be closed any more. */
  lock: (transaction: Transaction) => Promise<Refusal | null>;
  finish?: (transaction: Transaction) => Promise<unknown>;
  /** Whether the family knows already that the visit will not take place, or it has. Asked after `lock`. */
  isAlreadyEnded?: () => boolean;
};

/** Writes the end of the appointment and the refund due for it in one transaction, then submits the refund. */
async function closeWithRefund({
  id,
  familyId,
  reason,
  decidedById,
  computeRefundCents,
  moneyText = practiceCancellationText,
  lock,
  finish,
  isAlreadyEnded = () => false,
}: Closing): Promise<Outcome<Omit<CancellationResult, "appointment">>> {
  const closed = await tryTransaction(async (transaction) => {
    rollbackIf(await lock(transaction));
    const inFlightCount = await transaction.payment.count({ where: { appointmentId: id, state: "booked" } });
    rollbackIf(inFlightCount > 0 ? refused("conflict", PAYMENT_IN_FLIGHT) : null);
    const payment = await lockOnlinePayment(transaction, id);
    const amountCents = payment ? computeRefundCents(payment) : 0;
    const refund =
      payment && amountCents > 0
        ? await createRefund(transaction, payment, { amountCents, reason, decidedById })
        : null;
    rollbackIf(amountCents > 0 && refund === null ? changedMeanwhile : null);
    const visit = await transaction.appointment.findUniqueOrThrow({ where: { id }, select: CANCELLABLE_COLUMNS });
    const money = moneyText(visit, { paid: payment, refundCents: amountCents }, now());
    const by = decidedById === null ? "family" : "practice";
    if (!isAlreadyEnded()) await notifyCancelled(transaction, id, money, by);
    await finish?.(transaction);
    const action = finish ? "appointment-deleted" : "appointment-cancelled";
    recordAuditInTransaction(transaction, { action, familyId, objectId: id });
    return { refund, refundCents: payment && amountCents };
  });
  if (!closed.ok) return closed;
  const { refund, refundCents } = closed.value;
  const isSent = refund === null || (await submitOrRefreshRefund((await findRefund({ id: refund.id })) ?? refund));
  return accepted({ refundCents, isSent });
}

const changedMeanwhile = refused("conflict", "This visit was changed in the meantime. Please look at it again.");

function alreadyOver(): Refusal {
  return refused("conflict", "This visit is already over, so it can't be canceled.");
}

function noLongerCancellable(status: string): Refusal {
  if (status === "cancelled") return refused("conflict", "This visit is already canceled.");
  if (!isConcluded(status)) return changedMeanwhile;
  return refused("conflict", `This visit is marked ${status}, so it can't be canceled. Please call us.`);
}
