import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db, inTransaction, type Transaction } from "../db/client.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { type Appointment, findAppointment, ownedBy, appointmentNotFound } from "../booking/appointments.server.ts";
import { canCancel } from "../booking/appointment-status.ts";
import { rollbackIf, RollbackError } from "../booking/rollback.ts";
import { type OnlinePayment, refundDueCents } from "./cancellation-terms.ts";
import { createRefund, findRefund, type Refund, submitRefund } from "./refunds.server.ts";
import { FINAL_STATUSES, isConcluded } from "../booking/appointment-status.ts";

const PAYMENT_IN_FLIGHT = "The payment for this appointment is still being settled. Please try again in a minute.";
const CANCELLED_BY_FAMILY = "Cancelled by the family";
const DELETED_BY_PRACTICE = "Deleted by the practice";
const ACCOUNT_CLOSED = "Cancelled by the practice: the account was closed";

/** `refundCents` is null when nothing was paid online; `isSent` says whether the provider has taken the refund on. */
export type CancellationResult = { appointment: Appointment; refundCents: number | null; isSent: boolean };

/** What was paid online for an appointment and not undone. */
export function findOnlinePayment(appointmentId: number, client: Transaction = db) {
  return client.payment.findFirst({
    where: { appointmentId, state: "paid", provider: { not: null } },
    select: { id: true, amountCents: true, refundedCents: true },
  });
}

/**
 * A family's own cancelling: the appointment stays, marked, its time is free again, and what the terms give back is
 * asked of the provider before this returns. A second one, one after the end, and one of a visit that is marked
 * completed or no-show are conflicts (decisions §5.8).
 */
export async function cancelAppointment(person: Person, id: number | null): Promise<Outcome<CancellationResult>> {
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const appointment = found.value;
  if (FINAL_STATUSES.includes(appointment.status)) return noLongerCancellable(appointment.status);
  if (!canCancel(appointment, now())) {
    return refused("conflict", "This appointment is already over, so it can't be cancelled.");
  }
  const where = { id: appointment.id, ...ownedBy(person), status: { notIn: FINAL_STATUSES } };
  const closed = await closeWithRefund({
    id: appointment.id,
    reason: CANCELLED_BY_FAMILY,
    decidedById: null,
    computeRefundCents: (payment) => refundDueCents(payment, appointment.appointmentDate, now()),
    lock: async ({ appointment: appointmentTable }) => {
      const { count } = await appointmentTable.updateMany({ where, data: { status: "cancelled" } });
      if (count === 1) return null;
      const current = await appointmentTable.findUnique({ where: { id: appointment.id }, select: { status: true } });
      return noLongerCancellable(current?.status ?? "cancelled");
    },
  });
  return closed.ok ? accepted({ ...closed.value, appointment: { ...appointment, status: "cancelled" } }) : closed;
}

/**
 * The administrator's cancelling of an appointment that has not begun: it stays, marked, and what was paid online for it
 * goes back in full.
 */
export async function cancelForPractice(
  person: Person,
  id: number,
): Promise<Outcome<Omit<CancellationResult, "appointment">>> {
  if (!person.isAdmin) return refused("forbidden", "You don't have access to this.");
  return closeWithRefund({
    id,
    reason: ACCOUNT_CLOSED,
    decidedById: person.id,
    computeRefundCents: (paid) => paid.amountCents - paid.refundedCents,
    lock: async ({ appointment: appointments }) => {
      const where = { id, appointmentDate: { gt: now() }, status: { notIn: FINAL_STATUSES } };
      const { count } = await appointments.updateMany({ where, data: { status: "cancelled" } });
      return count === 1 ? null : appointmentNotFound();
    },
  });
}

/**
 * The administrator's deleting: the appointment is gone, its money stays written down. What was paid online for one
 * that has not begun, and is not marked completed or no-show, goes back in full.
 */
export async function deleteAppointment(person: Person, id: number | null): Promise<Outcome<CancellationResult>> {
  if (!person.isAdmin) return refused("forbidden", "You don't have access to this.");
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const { id: appointmentId, appointmentDate } = found.value;
  const where = { id: appointmentId };
  let status = found.value.status;
  const closed = await closeWithRefund({
    id: appointmentId,
    reason: DELETED_BY_PRACTICE,
    decidedById: person.id,
    computeRefundCents: (payment) => dueOnDeleting({ status, appointmentDate }, payment, now()),
    lock: async ({ appointment: appointmentTable }) => {
      const [locked] = await appointmentTable.updateManyAndReturn({
        where,
        data: { updatedAt: now() },
        select: { status: true },
      });
      status = locked?.status ?? status;
      return locked ? null : appointmentNotFound();
    },
    finish: ({ appointment: appointmentTable }) => appointmentTable.deleteMany({ where }),
  });
  return closed.ok ? accepted({ ...closed.value, appointment: found.value }) : closed;
}

/** What goes back when the administrator deletes an appointment at `at`, in cents. */
export function dueOnDeleting(
  { status, appointmentDate }: { status: string; appointmentDate: Date },
  paid: OnlinePayment,
  at: Date,
): number {
  return appointmentDate > at && !isConcluded(status) ? paid.amountCents - paid.refundedCents : 0;
}

type Closing = {
  id: number;
  reason: string;
  decidedById: number | null;
  computeRefundCents: (paid: OnlinePayment) => number;
  /** Locks the appointment; whoever comes second is refused. */
  lock: (transaction: Transaction) => Promise<Refusal | null>;
  finish?: (transaction: Transaction) => Promise<unknown>;
};

/** The appointment's end and the refund that is owed for it are written down together; then the provider is asked. */
async function closeWithRefund({
  id,
  reason,
  decidedById,
  computeRefundCents,
  lock,
  finish,
}: Closing): Promise<Outcome<Omit<CancellationResult, "appointment">>> {
  let dueRefund: { refundCents: number | null; refund: Refund | null };
  try {
    dueRefund = await inTransaction(async (transaction) => {
      rollbackIf(await lock(transaction));
      const inFlightCount = await transaction.payment.count({ where: { appointmentId: id, state: "booked" } });
      rollbackIf(inFlightCount > 0 ? refused("conflict", PAYMENT_IN_FLIGHT) : null);
      const payment = await findOnlinePayment(id, transaction);
      const amountCents = payment ? computeRefundCents(payment) : 0;
      const refund =
        payment && amountCents > 0
          ? await createRefund(transaction, payment, { amountCents, reason, decidedById })
          : null;
      await finish?.(transaction);
      return { refund, refundCents: payment && amountCents };
    });
  } catch (error) {
    if (error instanceof RollbackError) return error.refusal;
    throw error;
  }
  const isSent =
    dueRefund.refund === null ||
    (await submitRefund((await findRefund({ id: dueRefund.refund.id })) ?? dueRefund.refund));
  return accepted({ refundCents: dueRefund.refundCents, isSent });
}

function noLongerCancellable(status: string): Refusal {
  if (!isConcluded(status)) return refused("conflict", "This appointment is already cancelled.");
  return refused("conflict", `This appointment is marked ${status}, so it can't be cancelled. Please call us.`);
}
