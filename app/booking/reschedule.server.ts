import { requireAdmin } from "../accounts/access.server.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { inTransaction, db } from "../db/client.server.ts";
import { isOverlapViolation } from "../db/errors.server.ts";
import { accepted, invalid, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { type Appointment, findAppointment } from "./appointments.server.ts";
import { hasConflict } from "./availability.server.ts";
import { slotTaken } from "./book.server.ts";
import { releaseObsoleteHolds } from "./holds.server.ts";
import { basicSlotProblem } from "./rules.ts";
import { canReschedule } from "./appointment-status.ts";
import { FINAL_STATUSES, type ManualStatus, isConcluded } from "./appointment-status.ts";
import { withCalendarLock } from "./calendar-lock.server.ts";

/**
 * Moves an appointment to another start (an instant), keeping its record and everything linked to it. For the
 * administrator, also outside office hours. Refusals: forbidden, invalid (in the past), conflict (slot taken,
 * cancelled, completed, no-show, or changed concurrently), notFound.
 */
export async function rescheduleAppointment(
  person: Person,
  id: number | null,
  start: Date,
): Promise<Outcome<Appointment>> {
  const found = await findForAdmin(person, id);
  if (!found.ok) return found;
  const { appointmentDate, duration, userId, status } = found.value;
  if (!canReschedule(found.value)) return isConcluded(status) ? isMarked(status) : appointmentCancelled();
  if (start.getTime() === appointmentDate.getTime())
    return invalid("time", "That is when the appointment is now. Choose another time.");
  const reason = basicSlotProblem({ start, duration }, { now: now() });
  if (reason) return invalid("time", reason);
  if (await hasConflict({ start, duration }, userId, found.value.id)) return slotTaken();
  return withCalendarLock(() => saveNewStart(found.value, start));
}

async function saveNewStart(appointment: Appointment, start: Date): Promise<Outcome<Appointment>> {
  const { id, appointmentDate, duration, userId } = appointment;
  const changes = { appointmentDate: start, status: "rescheduled" };
  try {
    const count = await inTransaction(async (transaction) => {
      await releaseObsoleteHolds(transaction, { appointmentDate: start, duration }, { userId });
      const where = { id, appointmentDate, status: { notIn: FINAL_STATUSES } };
      return (await transaction.appointment.updateMany({ where, data: changes })).count;
    });
    return count === 1 ? accepted({ ...appointment, ...changes }) : staleAppointment();
  } catch (error) {
    if (isOverlapViolation(error)) return slotTaken();
    throw error;
  }
}

/**
 * Sets the status of an appointment for the administrator. A cancelled one stays cancelled, because it may have been
 * refunded. Refusals: forbidden, notFound, conflict.
 */
export async function setStatus(
  person: Person,
  id: number | null,
  status: ManualStatus,
): Promise<Outcome<Appointment>> {
  const found = await findForAdmin(person, id);
  if (!found.ok) return found;
  const where = { id: found.value.id, status: { not: "cancelled" } };
  const { count } = await db.appointment.updateMany({ where, data: { status } });
  return count === 1 ? accepted({ ...found.value, status }) : appointmentCancelled();
}

async function findForAdmin(person: Person, id: number | null): Promise<Outcome<Appointment>> {
  return requireAdmin(person) ?? findAppointment(person, id);
}

function appointmentCancelled(): Refusal {
  return refused("conflict", "This appointment is cancelled. Schedule a new one instead.");
}

function isMarked(status: string): Refusal {
  return refused("conflict", `This appointment is marked ${status}. Change its status first, or schedule a new one.`);
}

function staleAppointment(): Refusal {
  return refused("conflict", "This appointment was changed in the meantime. Please look at it again.");
}
