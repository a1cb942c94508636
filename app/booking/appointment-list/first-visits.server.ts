import { assertAdministrator } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { db } from "../../db/database-client.server.ts";

type Visit = { id: number; userId: number | null; start: Date };

/** Prisma filter for visits that took place or may still take place. */
const COUNTED_VISIT_CONDITION = { status: { notIn: ["cancelled", "no-show"] } };

/**
 * Returns the ids of those `visits` that are the person's first, not counting canceled visits and no-shows. A person
 * without an account is identified by the email address of the consultation request; without an address the visit is
 * not reported as first. For the administrator; throws for anyone else.
 */
export async function filterFirstVisitIds(person: Person, visits: readonly Visit[]): Promise<Set<number>> {
  assertAdministrator(person);
  const [ofFamilies, ofOthers] = await Promise.all([
    findFirstVisitsOfFamilies(visits),
    findFirstVisitsWithoutAccount(visits),
  ]);
  return new Set([...ofFamilies, ...ofOthers].map(({ id }) => id));
}

async function findFirstVisitsOfFamilies(visits: readonly Visit[]): Promise<Visit[]> {
  const userIds = [...new Set(visits.flatMap(({ userId }) => userId ?? []))];
  if (userIds.length === 0) return [];
  const earliest = await db.appointment.findMany({
    where: { ...COUNTED_VISIT_CONDITION, userId: { in: userIds } },
    orderBy: [{ userId: "asc" }, { appointmentDate: "asc" }],
    distinct: ["userId"],
    select: { userId: true, appointmentDate: true },
  });
  const starts = new Map(earliest.map(({ userId, appointmentDate }) => [userId, appointmentDate]));
  return visits.filter(({ userId, start }) => userId !== null && start <= (starts.get(userId) ?? start));
}

async function findFirstVisitsWithoutAccount(visits: readonly Visit[]): Promise<Visit[]> {
  const visitsWithoutAccount = visits.filter(({ userId }) => userId === null);
  if (visitsWithoutAccount.length === 0) return [];
  const requests = await db.consultationRequest.findMany({
    where: { appointment: { id: { in: visitsWithoutAccount.map(({ id }) => id) } } },
    orderBy: { id: "asc" },
    select: { email: true, appointment: { select: { id: true } } },
  });
  const emails = new Map(
    requests.flatMap(({ email, appointment }) => (appointment ? [[appointment.id, email] as const] : [])),
  );
  const emailFilter = { in: [...emails.values()] };
  const counted = await db.appointment.findMany({
    where: {
      ...COUNTED_VISIT_CONDITION,
      OR: [{ consultationRequest: { email: emailFilter } }, { user: { email: emailFilter } }],
    },
    orderBy: [{ appointmentDate: "asc" }, { id: "asc" }],
    select: {
      appointmentDate: true,
      user: { select: { email: true } },
      consultationRequest: { select: { email: true } },
    },
  });
  return visitsWithoutAccount.filter(({ id, start }) => {
    const email = emails.get(id);
    return (
      email !== undefined &&
      !counted.some(
        (other) =>
          other.appointmentDate < start && (other.user?.email === email || other.consultationRequest?.email === email),
      )
    );
  });
}
