import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { inTransaction, db, isOverlapViolation } from "../db.server.ts";
import { accepted, invalid, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { type Appointment, findAppointment } from "./appointments.server.ts";
import { isTaken } from "./availability.server.ts";
import { taken } from "./book.server.ts";
import { clearWay } from "./holds.server.ts";
import { whyNever } from "./rules.ts";
import { mayMove } from "./badges.ts";
import { FINAL_STATUSES, type HandStatus, isConcluded } from "./statuses.ts";
import { inTurn } from "./turns.server.ts";

/**
 * Moves an appointment to another start, `start` being an instant: the same record, with all that hangs on it. For the
 * administrator, who may work outside her hours. Refusals: invalid (in the past), conflict (taken, cancelled,
 * completed, no-show, or changed by somebody else meanwhile), notFound.
 */
export async function moveAppointment(person: Person, id: number | null, start: Date): Promise<Outcome<Appointment>> {
  const found = await findForAdmin(person, id);
  if (!found.ok) return found;
  const { appointmentDate, duration, userId, status } = found.value;
  if (!mayMove(found.value)) return isConcluded(status) ? isMarked(status) : isCancelled();
  if (start.getTime() === appointmentDate.getTime())
    return invalid("time", "That is when the appointment is now. Choose another time.");
  const reason = whyNever({ start, duration }, { now: now() });
  if (reason) return invalid("time", reason);
  if (await isTaken({ start, duration }, userId, found.value.id)) return taken();
  return inTurn(() => write(found.value, start));
}

async function write(appointment: Appointment, start: Date): Promise<Outcome<Appointment>> {
  const { id, appointmentDate, duration, userId } = appointment;
  const changes = { appointmentDate: start, status: "rescheduled" };
  try {
    const count = await inTransaction(async (transaction) => {
      await clearWay(transaction, { appointmentDate: start, duration }, { userId });
      const where = { id, appointmentDate, status: { notIn: FINAL_STATUSES } };
      return (await transaction.appointment.updateMany({ where, data: changes })).count;
    });
    return count === 1 ? accepted({ ...appointment, ...changes }) : changedMeanwhile();
  } catch (error) {
    if (isOverlapViolation(error)) return taken();
    throw error;
  }
}

/** Sets by hand what became of an appointment. A cancelled one stays cancelled: money may have gone back. */
export async function setStatus(person: Person, id: number | null, status: HandStatus): Promise<Outcome<Appointment>> {
  const found = await findForAdmin(person, id);
  if (!found.ok) return found;
  const where = { id: found.value.id, status: { not: "cancelled" } };
  const { count } = await db.appointment.updateMany({ where, data: { status } });
  return count === 1 ? accepted({ ...found.value, status }) : isCancelled();
}

async function findForAdmin(person: Person, id: number | null): Promise<Outcome<Appointment>> {
  return person.isAdmin ? findAppointment(person, id) : refused("forbidden", "You don't have access to this.");
}

function isCancelled(): Refusal {
  return refused("conflict", "This appointment is cancelled. Schedule a new one instead.");
}

function isMarked(status: string): Refusal {
  return refused("conflict", `This appointment is marked ${status}. Change its status first, or schedule a new one.`);
}

function changedMeanwhile(): Refusal {
  return refused("conflict", "This appointment was changed in the meantime. Please look at it again.");
}
