import { recordListRead, recordTextsListed } from "../../audit/list-reads.server.ts";
import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/client.server.ts";
import { readWithinLimit } from "../../db/list-limit.server.ts";
import { readIdParameter } from "../../http/field-schemas.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { KeyedSerialQueue } from "../../serial-queue.ts";
import { toAppointmentJson } from "../appointment-json.ts";
import { type Appointment, APPOINTMENT_COLUMNS, findAppointment, accessibleBy } from "../appointments.server.ts";

/** Source: docs/product.md, Limits. */
export const MAX_LISTED = { family: 500, administrator: 1_000 };

/** Thousands of encrypted texts take seconds and megabytes: a person's lists are read one after another. */
const lists = new KeyedSerialQueue<number>();

/**
 * Lists a family's appointments, the 500 with the latest start, ascending. `convert` runs before the person's next list
 * is read.
 */
export function listAppointments<T>(person: Person, convert: (appointments: Appointment[]) => T): Promise<T> {
  return lists.run(person.id, async () => {
    const rows = await db.appointment.findMany({
      where: { userId: person.id },
      select: APPOINTMENT_COLUMNS,
      orderBy: [{ appointmentDate: "desc" }, { id: "desc" }],
      take: MAX_LISTED.family,
    });
    return convert(rows.toReversed());
  });
}

type AppointmentJson = ReturnType<typeof toAppointmentJson>;

/**
 * The API's list, ascending by start: a family's own appointments with the latest start; for the administrator those of
 * all families that are nearest to now. 500 or 1,000, or fewer where their texts are long (see `readWithinLimit`). With
 * `before` or `after`, the nearest to the appointment of that id that come before or after it. Refusals: malformed,
 * notFound (also for another family's).
 */
export function listAppointmentJson(person: Person, query: URLSearchParams): Promise<Outcome<AppointmentJson[]>> {
  return lists.run(person.id, async () => {
    if (person.isAdmin) await recordListRead();
    const ids = await findListedIds(person, query);
    if (!ids.ok) return ids;
    const readRows = (batch: number[]) =>
      db.appointment.findMany({ where: { ...accessibleBy(person), id: { in: batch } }, select: APPOINTMENT_COLUMNS });
    const listed = await readWithinLimit(ids.value, readRows, (row) => toAppointmentJson(row, person.isAdmin));
    if (person.isAdmin) await recordTextsListed(listed.map(({ userId }) => userId));
    return accepted(
      listed.toSorted((one, other) => Number(one.appointmentDate) - Number(other.appointmentDate) || one.id - other.id),
    );
  });
}

/** The ids of the appointments to list; where the list ends early, the last of them are left out. */
async function findListedIds(person: Person, query: URLSearchParams): Promise<Outcome<number[]>> {
  const before = readIdParameter(query, "before", "an appointment");
  if (!before.ok) return before;
  const after = readIdParameter(query, "after", "an appointment");
  if (!after.ok) return after;
  if (before.value !== null && after.value !== null) return refused("malformed", "Give before or after, not both.");
  const id = before.value ?? after.value;
  if (id === null) return accepted(toIds(await (person.isAdmin ? readNearest(person) : readPositions(person, "desc"))));
  const position = await findAppointment(person, id);
  if (!position.ok) return position;
  return accepted(toIds(await (before.value === null ? readAfter : readBefore)(person, position.value)));
}

type Position = { id: number; appointmentDate: Date };

const POSITION = { id: true, appointmentDate: true } as const;

function readBefore(person: Person, { id, appointmentDate }: Position): Promise<Position[]> {
  return readPositions(person, "desc", {
    OR: [{ appointmentDate: { lt: appointmentDate } }, { appointmentDate, id: { lt: id } }],
  });
}

function readAfter(person: Person, { id, appointmentDate }: Position): Promise<Position[]> {
  return readPositions(person, "asc", {
    OR: [{ appointmentDate: { gt: appointmentDate } }, { appointmentDate, id: { gt: id } }],
  });
}

/** The nearest to now first. */
async function readNearest(person: Person): Promise<Position[]> {
  const at = now();
  const [past, upcoming] = await Promise.all([
    readPositions(person, "desc", { appointmentDate: { lte: at } }),
    readPositions(person, "asc", { appointmentDate: { gt: at } }),
  ]);
  const distance = ({ appointmentDate }: Position) => Math.abs(appointmentDate.getTime() - at.getTime());
  return [...past, ...upcoming].toSorted((one, other) => distance(one) - distance(other)).slice(0, maxListed(person));
}

/** By start, the first `maxListed` of this order. */
function readPositions(
  person: Person,
  order: Prisma.SortOrder,
  condition: Prisma.AppointmentWhereInput = {},
): Promise<Position[]> {
  return db.appointment.findMany({
    where: { ...accessibleBy(person), ...condition },
    select: POSITION,
    orderBy: [{ appointmentDate: order }, { id: order }],
    take: maxListed(person),
  });
}

function toIds(rows: readonly Position[]): number[] {
  return rows.map(({ id }) => id);
}

function maxListed({ isAdmin }: Person): number {
  return isAdmin ? MAX_LISTED.administrator : MAX_LISTED.family;
}
