import { recordListRead } from "../audit/list-reads.server.ts";
import { recordRead } from "../audit/record.server.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { KeyedSerialQueue } from "../serial-queue.ts";

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
  cancelledBy: true,
  cancelReason: true,
  consultationRequestId: true,
  createdAt: true,
  updatedAt: true,
  user: { select: { firstName: true, lastName: true } },
  payments: { where: { state: "paid" }, select: { id: true, amountCents: true, refundedCents: true } },
} as const;

/** An appointment with its account's name. Instants are UTC, money is cents, durations are minutes. */
export type Appointment = Awaited<ReturnType<typeof getAppointmentUnchecked>>;

/** Source: docs/product.md, Limits. */
const MAX_LISTED = { family: 500, administrator: 1_000 };

/** Thousands of encrypted texts take seconds and megabytes: a person's lists are read one after another. */
const lists = new KeyedSerialQueue<number>();

/**
 * Lists a client's own appointments, the 500 with the latest start; for the administrator those of all families, the
 * 1,000 nearest to now. Ascending by start. `convert` runs before the person's next list is read.
 */
export function listAppointments<T>(person: Person, convert: (appointments: Appointment[]) => T): Promise<T> {
  return lists.run(person.id, async () => {
    if (person.isAdmin) await recordListRead();
    const rows = await db.appointment.findMany({
      where: person.isAdmin
        ? { appointmentDate: await findNearestRange(MAX_LISTED.administrator) }
        : { userId: person.id },
      select: APPOINTMENT_COLUMNS,
      orderBy: [{ appointmentDate: "desc" }, { id: "desc" }],
      take: person.isAdmin ? MAX_LISTED.administrator : MAX_LISTED.family,
    });
    return convert(rows.toReversed());
  });
}

/** The range of starts that holds the `count` appointments nearest to now. */
async function findNearestRange(count: number): Promise<{ gte: Date; lte: Date }> {
  const at = now();
  const options = { select: { appointmentDate: true }, take: count } as const;
  const [past, upcoming] = await Promise.all([
    db.appointment.findMany({
      ...options,
      where: { appointmentDate: { lte: at } },
      orderBy: { appointmentDate: "desc" },
    }),
    db.appointment.findMany({
      ...options,
      where: { appointmentDate: { gt: at } },
      orderBy: { appointmentDate: "asc" },
    }),
  ]);
  const distances = [...past, ...upcoming].map(({ appointmentDate }) => appointmentDate.getTime() - at.getTime());
  const nearest = distances.toSorted((one, other) => Math.abs(one) - Math.abs(other)).slice(0, count);
  return {
    gte: new Date(at.getTime() + Math.min(0, ...nearest)),
    lte: new Date(at.getTime() + Math.max(0, ...nearest)),
  };
}

/** Finds a client's own appointment, or any for the administrator. Refusal: notFound, also for another family's. */
export async function findAppointment(person: Person, id: number | null): Promise<Outcome<Appointment>> {
  const row =
    id === null
      ? null
      : await db.appointment.findFirst({ where: { id, ...ownedBy(person) }, select: APPOINTMENT_COLUMNS });
  return row ? accepted(row) : appointmentNotFoundRefusal();
}

/** Reads a row that was just written; throws when there is none. */
export function getAppointmentUnchecked(id: number) {
  return db.appointment.findUniqueOrThrow({ where: { id }, select: APPOINTMENT_COLUMNS });
}

/** Records that somebody opened an appointment's details; call it before they are sent. */
export function recordAppointmentRead({ id, userId }: Pick<Appointment, "id" | "userId">): Promise<void> {
  return recordRead({ action: "appointment-opened", familyId: userId, objectId: id });
}

export function ownedBy(person: Person) {
  return person.isAdmin ? {} : { userId: person.id };
}

export function appointmentNotFoundRefusal(): Refusal {
  return refused("notFound", "There is no such appointment.");
}
