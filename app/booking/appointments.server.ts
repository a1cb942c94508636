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
  consultationRequestId: true,
  createdAt: true,
  updatedAt: true,
  user: { select: { firstName: true, lastName: true } },
  payments: { where: { state: "paid" }, select: { id: true, amountCents: true, refundedCents: true } },
} as const;

/** An appointment with the name of the account it belongs to; instants are UTC, money is cents, duration minutes. */
export type Appointment = Awaited<ReturnType<typeof getAppointment>>;

/** A client's own appointments, the administrator's all of them, ascending by date. */
export function listAppointments(person: Person): Promise<Appointment[]> {
  const where = ownedBy(person);
  return db.appointment.findMany({
    where,
    select: APPOINTMENT_COLUMNS,
    orderBy: [{ appointmentDate: "asc" }, { id: "asc" }],
  });
}

/** One appointment of the person's, any for the administrator; another's is as unknown as one that never was. */
export async function findAppointment(person: Person, id: number | null): Promise<Outcome<Appointment>> {
  const row =
    id === null
      ? null
      : await db.appointment.findFirst({ where: { id, ...ownedBy(person) }, select: APPOINTMENT_COLUMNS });
  return row ? accepted(row) : appointmentNotFound();
}

/** Reads what was just written; throws when there is no such row. */
export function getAppointment(id: number) {
  return db.appointment.findUniqueOrThrow({ where: { id }, select: APPOINTMENT_COLUMNS });
}

export function ownedBy(person: Person) {
  return person.isAdmin ? {} : { userId: person.id };
}

export function appointmentNotFound(): Refusal {
  return refused("notFound", "There is no such appointment.");
}
