import type { Person } from "../accounts/person.ts";
import { db } from "../db/client.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../http/outcome.ts";

const APPOINTMENT_COLUMNS = {
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
  notes: true,
  isLiveVideoCall: true,
  paymentMethod: true,
  paymentAmountCents: true,
  paymentStatus: true,
  paymentId: true,
  paymentDate: true,
  callEndedAt: true,
  calendarSequence: true,
  consultationRequestId: true,
  createdAt: true,
  updatedAt: true,
  user: { select: { firstName: true, lastName: true } },
  payments: { where: { state: "paid" }, select: { id: true, amountCents: true, refundedCents: true } },
} as const;

/** An appointment with its account's name. Instants are UTC, money is cents, durations are minutes. */
export type Appointment = Awaited<ReturnType<typeof getAppointment>>;

/** Lists a client's own appointments, or all for the administrator, ascending by start. */
export function listAppointments(person: Person): Promise<Appointment[]> {
  const where = ownedBy(person);
  return db.appointment.findMany({
    where,
    select: APPOINTMENT_COLUMNS,
    orderBy: [{ appointmentDate: "asc" }, { id: "asc" }],
  });
}

/** Finds a client's own appointment, or any for the administrator. Refusal: notFound, also for another family's. */
export async function findAppointment(person: Person, id: number | null): Promise<Outcome<Appointment>> {
  const row =
    id === null
      ? null
      : await db.appointment.findFirst({ where: { id, ...ownedBy(person) }, select: APPOINTMENT_COLUMNS });
  return row ? accepted(row) : appointmentNotFound();
}

/** Reads a row that was just written; throws when there is none. */
export function getAppointment(id: number) {
  return db.appointment.findUniqueOrThrow({ where: { id }, select: APPOINTMENT_COLUMNS });
}

export function ownedBy(person: Person) {
  return person.isAdmin ? {} : { userId: person.id };
}

export function appointmentNotFound(): Refusal {
  return refused("notFound", "There is no such appointment.");
}
