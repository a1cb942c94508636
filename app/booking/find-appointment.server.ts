import { recordAuditRead } from "../audit/record-audit.server.ts";
import type { Person } from "../accounts/person.ts";
import { db } from "../db/database-client.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../http/outcome.ts";

export const APPOINTMENT_SELECT = {
  id: true,
  userId: true,
  title: true,
  description: true,
  appointmentDate: true,
  duration: true,
  type: true,
  status: true,
  urgency: true,
  meetingLink: true,
  place: true,
  notes: true,
  isLiveVideoCall: true,
  paymentMethod: true,
  paymentAmountCents: true,
  paymentStatus: true,
  paymentId: true,
  paymentDate: true,
  callEndedAt: true,
  familyJoinedAt: true,
  waivedAt: true,
  waiveReason: true,
  calendarSequence: true,
  movedAt: true,
  cancelledBy: true,
  cancelReason: true,
  consultationRequestId: true,
  toldAt: true,
  createdAt: true,
  updatedAt: true,
  user: { select: { firstName: true, lastName: true } },
  payments: { where: { state: "paid" }, select: { id: true, amountCents: true, refundedCents: true } },
} as const;

/** An appointment with its account's name. Instants are UTC, money is cents, durations are minutes. */
export type Appointment = Awaited<ReturnType<typeof getAppointmentUnchecked>>;

/**
 * Returns a client's own appointment, or any appointment for the administrator. Refusal: notFound, also for another
 * family's appointment. Pages and responses that show the appointment use `findAppointmentWithAudit` or `recordAppointmentOpened`.
 */
export async function findAppointment(person: Person, id: number | null): Promise<Outcome<Appointment>> {
  const row =
    id === null
      ? null
      : await db.appointment.findFirst({
          where: { id, ...accessibleAppointmentsCondition(person) },
          select: APPOINTMENT_SELECT,
        });
  return row ? accepted(row) : appointmentNotFoundRefusal();
}

/** Does the same as `findAppointment`, and records that the person opened the appointment. */
export async function findAppointmentWithAudit(person: Person, id: number | null): Promise<Outcome<Appointment>> {
  const found = await findAppointment(person, id);
  if (found.ok) await recordAppointmentOpened(found.value);
  return found;
}

/** Records that the person opened an appointment. For pages that show it only in some cases, once they do. */
export function recordAppointmentOpened({ id, userId }: Pick<Appointment, "id" | "userId">): Promise<void> {
  return recordAuditRead({ action: "appointment-opened", familyId: userId, objectId: id });
}

/** Reads a row that was just written, without an access check. Throws when it does not exist. */
export function getAppointmentUnchecked(id: number) {
  return db.appointment.findUniqueOrThrow({ where: { id }, select: APPOINTMENT_SELECT });
}

export function accessibleAppointmentsCondition(person: Person) {
  return person.isAdmin ? {} : { userId: person.id };
}

export function appointmentNotFoundRefusal(): Refusal {
  return refused("notFound", "There is no such appointment.");
}
