import { recordListRead, recordTextsListed } from "../../audit/record-list-reads.server.ts";
import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { readRowsWithinByteLimit } from "../../db/byte-limited-list.server.ts";
import { readOptionalIdParameter } from "../../http/field-schemas.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { KeyedSerialQueue } from "../../serial-queue.ts";
import { toAppointmentJson } from "../appointment-json.ts";
import {
  type Appointment,
  APPOINTMENT_SELECT,
  findAppointment,
  accessibleAppointmentsCondition,
} from "../find-appointment.server.ts";

/** Maximum number of listed appointments. Source: docs/product.md, Limits. */
export const MAX_LISTED_APPOINTMENTS = { family: 500, administrator: 1_000 };

/** Decrypting thousands of texts takes seconds and megabytes, so each person's lists are read one at a time. */
const listQueue = new KeyedSerialQueue<number>();

/**
 * Lists a family's 500 appointments with the latest start, ascending. `convert` runs before the person's next list is
 * read.
 */
export function listOwnAppointments<T>(person: Person, convert: (appointments: Appointment[]) => T): Promise<T> {
  return listQueue.run(person.id, async () => {
    const rows = await db.appointment.findMany({
      where: { userId: person.id },
      select: APPOINTMENT_SELECT,
      orderBy: [{ appointmentDate: "desc" }, { id: "desc" }],
      take: MAX_LISTED_APPOINTMENTS.family,
    });
    return convert(rows.toReversed());
  });
}

type AppointmentJson = ReturnType<typeof toAppointmentJson>;

/**
 * Returns the API's list, ascending by start: for a family, its own appointments with the latest start; for the
 * administrator, the appointments of all families nearest to now. Returns at most 500 or 1,000, fewer if their texts
 * are long (see `readRowsWithinByteLimit`). With `before` or `after`, returns those nearest to the appointment with that id,
 * before or after it. Refusals: malformed, notFound (also for another family's appointment).
 */
export function listAppointmentJson(person: Person, query: URLSearchParams): Promise<Outcome<AppointmentJson[]>> {
  return listQueue.run(person.id, async () => {
    if (person.isAdmin) await recordListRead();
    const ids = await findListedIds(person, query);
    if (!ids.ok) return ids;
    const readRows = (batch: number[]) =>
      db.appointment.findMany({
        where: { ...accessibleAppointmentsCondition(person), id: { in: batch } },
        select: APPOINTMENT_SELECT,
      });
    const listed = await readRowsWithinByteLimit(ids.value, readRows, (row) => toAppointmentJson(row, person.isAdmin));
    if (person.isAdmin) await recordTextsListed(listed.map(({ userId }) => userId));
    return accepted(listed.toSorted((a, b) => Number(a.appointmentDate) - Number(b.appointmentDate) || a.id - b.id));
  });
}

/**
 * Returns the ids of the appointments to list, most important first: if the list is cut short, the last ids are left
 * out.
 */
async function findListedIds(person: Person, query: URLSearchParams): Promise<Outcome<number[]>> {
  const before = readOptionalIdParameter(query, "before", "an appointment");
  if (!before.ok) return before;
  const after = readOptionalIdParameter(query, "after", "an appointment");
  if (!after.ok) return after;
  if (before.value !== null && after.value !== null) return refused("malformed", "Give before or after, not both.");
  const id = before.value ?? after.value;
  if (id === null) return accepted(toIds(await (person.isAdmin ? readNearest(person) : readPositions(person, "desc"))));
  const position = await findAppointment(person, id);
  if (!position.ok) return position;
  return accepted(
    toIds(await (before.value === null ? readPositionsAfter : readPositionsBefore)(person, position.value)),
  );
}

type Position = { id: number; appointmentDate: Date };

const POSITION_SELECT = { id: true, appointmentDate: true } as const;

function readPositionsBefore(person: Person, { id, appointmentDate }: Position): Promise<Position[]> {
  return readPositions(person, "desc", {
    OR: [{ appointmentDate: { lt: appointmentDate } }, { appointmentDate, id: { lt: id } }],
  });
}

function readPositionsAfter(person: Person, { id, appointmentDate }: Position): Promise<Position[]> {
  return readPositions(person, "asc", {
    OR: [{ appointmentDate: { gt: appointmentDate } }, { appointmentDate, id: { gt: id } }],
  });
}

/** Returns the appointments of all families, nearest to now first. */
async function readNearest(person: Person): Promise<Position[]> {
  const at = now();
  const [past, upcoming] = await Promise.all([
    readPositions(person, "desc", { appointmentDate: { lte: at } }),
    readPositions(person, "asc", { appointmentDate: { gt: at } }),
  ]);
  const distance = ({ appointmentDate }: Position) => Math.abs(appointmentDate.getTime() - at.getTime());
  return [...past, ...upcoming].toSorted((a, b) => distance(a) - distance(b)).slice(0, maxListedAppointments(person));
}

/** Returns the first `maxListedAppointments` appointments ordered by start. */
function readPositions(
  person: Person,
  order: Prisma.SortOrder,
  condition: Prisma.AppointmentWhereInput = {},
): Promise<Position[]> {
  return db.appointment.findMany({
    where: { ...accessibleAppointmentsCondition(person), ...condition },
    select: POSITION_SELECT,
    orderBy: [{ appointmentDate: order }, { id: order }],
    take: maxListedAppointments(person),
  });
}

function toIds(rows: readonly Position[]): number[] {
  return rows.map(({ id }) => id);
}

function maxListedAppointments({ isAdmin }: Person): number {
  return isAdmin ? MAX_LISTED_APPOINTMENTS.administrator : MAX_LISTED_APPOINTMENTS.family;
}
