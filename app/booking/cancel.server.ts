import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db, inTransaction } from "../db.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { type Appointment, findAppointment, ownedBy, unknownAppointment } from "./appointments.server.ts";
import { mayCancel } from "./badges.ts";
import { refuse, Refused } from "./refused.ts";
import { type PaidOnline, refundDue } from "./cancellation.ts";
import type { Transaction } from "./payments.server.ts";
import { askRefund, findRefund, type Refund, sendRefund } from "./refunds.server.ts";
import { FINAL_STATUSES, isConcluded } from "./statuses.ts";

const IN_FLIGHT = "The payment for this appointment is still being settled. Please try again in a minute.";
const BY_TERMS = "Cancelled by the family";
const BY_PRACTICE = "Deleted by the practice";
const ACCOUNT_CLOSED = "Cancelled by the practice: the account was closed";

/** `refundCents` is null when nothing was paid online; `isSent` says whether the provider has taken the refund on. */
export type Cancelled = { appointment: Appointment; refundCents: number | null; isSent: boolean };

/** What was paid online for an appointment and not undone. */
export function findPaidOnline(appointmentId: number, client: Transaction = db) {
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
export async function cancel(person: Person, id: number | null): Promise<Outcome<Cancelled>> {
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const appointment = found.value;
  if (FINAL_STATUSES.includes(appointment.status)) return noLongerCancellable(appointment.status);
  if (!mayCancel(appointment, now())) {
    return refused("conflict", "This appointment is already over, so it can't be cancelled.");
  }
  const where = { id: appointment.id, ...ownedBy(person), status: { notIn: FINAL_STATUSES } };
  const ended = await endAppointment({
    id: appointment.id,
    reason: BY_TERMS,
    decidedById: null,
    due: (paid) => refundDue(paid, appointment.appointmentDate, now()),
    begin: async ({ appointment: appointments }) => {
      const { count } = await appointments.updateMany({ where, data: { status: "cancelled" } });
      if (count === 1) return null;
      const current = await appointments.findUnique({ where: { id: appointment.id }, select: { status: true } });
      return noLongerCancellable(current?.status ?? "cancelled");
    },
  });
  return ended.ok ? accepted({ ...ended.value, appointment: { ...appointment, status: "cancelled" } }) : ended;
}

/**
 * The administrator's cancelling of an appointment that has not begun: it stays, marked, and what was paid online for it
 * goes back in full.
 */
export async function cancelForPractice(person: Person, id: number): Promise<Outcome<Omit<Cancelled, "appointment">>> {
  if (!person.isAdmin) return refused("forbidden", "You don't have access to this.");
  return endAppointment({
    id,
    reason: ACCOUNT_CLOSED,
    decidedById: person.id,
    due: (paid) => paid.amountCents - paid.refundedCents,
    begin: async ({ appointment: appointments }) => {
      const where = { id, appointmentDate: { gt: now() }, status: { notIn: FINAL_STATUSES } };
      const { count } = await appointments.updateMany({ where, data: { status: "cancelled" } });
      return count === 1 ? null : unknownAppointment();
    },
  });
}

/**
 * The administrator's deleting: the appointment is gone, its money stays written down. What was paid online for one
 * that has not begun, and is not marked completed or no-show, goes back in full.
 */
export async function remove(person: Person, id: number | null): Promise<Outcome<Cancelled>> {
  if (!person.isAdmin) return refused("forbidden", "You don't have access to this.");
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const { id: known, appointmentDate } = found.value;
  const where = { id: known };
  let status = found.value.status;
  const ended = await endAppointment({
    id: known,
    reason: BY_PRACTICE,
    decidedById: person.id,
    due: (paid) => dueOnDeleting({ status, appointmentDate }, paid, now()),
    begin: async ({ appointment: appointments }) => {
      const [locked] = await appointments.updateManyAndReturn({
        where,
        data: { updatedAt: now() },
        select: { status: true },
      });
      status = locked?.status ?? status;
      return locked ? null : unknownAppointment();
    },
    end: ({ appointment: appointments }) => appointments.deleteMany({ where }),
  });
  return ended.ok ? accepted({ ...ended.value, appointment: found.value }) : ended;
}

/** What goes back when the administrator deletes an appointment at `at`, in cents. */
export function dueOnDeleting(
  { status, appointmentDate }: { status: string; appointmentDate: Date },
  paid: PaidOnline,
  at: Date,
): number {
  return appointmentDate > at && !isConcluded(status) ? paid.amountCents - paid.refundedCents : 0;
}

type Ending = {
  id: number;
  reason: string;
  decidedById: number | null;
  due: (paid: PaidOnline) => number;
  /** Locks the appointment; whoever comes second is refused. */
  begin: (transaction: Transaction) => Promise<Refusal | null>;
  end?: (transaction: Transaction) => Promise<unknown>;
};

/** The appointment's end and the refund that is owed for it are written down together; then the provider is asked. */
async function endAppointment({
  id,
  reason,
  decidedById,
  due,
  begin,
  end,
}: Ending): Promise<Outcome<Omit<Cancelled, "appointment">>> {
  let owed: { refundCents: number | null; refund: Refund | null };
  try {
    owed = await inTransaction(async (transaction) => {
      refuse(await begin(transaction));
      const inFlight = await transaction.payment.count({ where: { appointmentId: id, state: "booked" } });
      refuse(inFlight > 0 ? refused("conflict", IN_FLIGHT) : null);
      const paid = await findPaidOnline(id, transaction);
      const amountCents = paid ? due(paid) : 0;
      const refund =
        paid && amountCents > 0 ? await askRefund(transaction, paid, { amountCents, reason, decidedById }) : null;
      await end?.(transaction);
      return { refund, refundCents: paid && amountCents };
    });
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
  const isSent = owed.refund === null || (await sendRefund((await findRefund({ id: owed.refund.id })) ?? owed.refund));
  return accepted({ refundCents: owed.refundCents, isSent });
}

function noLongerCancellable(status: string): Refusal {
  if (!isConcluded(status)) return refused("conflict", "This appointment is already cancelled.");
  return refused("conflict", `This appointment is marked ${status}, so it can't be cancelled. Please call us.`);
}
