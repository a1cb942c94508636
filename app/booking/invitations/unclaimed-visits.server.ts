import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { resolveClientName } from "../client-name.ts";

/** Maximum number of visits searched. Far more than are ever booked without an account at the same time. */
const MAX_SEARCHED_VISITS = 200;
const MAX_OFFERED_VISITS = 5;

/** Returns upcoming visits without an account whose row shows this person's name, soonest first. Empty for a family. */
export async function findUnclaimedVisitsByName(
  person: Person,
  { firstName, lastName }: { firstName: string; lastName: string },
) {
  if (!person.isAdmin) return [];
  const visits = await db.appointment.findMany({
    where: { userId: null, status: { not: "cancelled" }, appointmentDate: { gt: now() } },
    orderBy: [{ appointmentDate: "asc" }, { id: "asc" }],
    take: MAX_SEARCHED_VISITS,
    select: { id: true, userId: true, title: true, notes: true, appointmentDate: true },
  });
  const name = `${firstName} ${lastName}`.toLowerCase();
  return visits
    .filter((visit) => resolveClientName(visit).name.toLowerCase() === name)
    .slice(0, MAX_OFFERED_VISITS)
    .map(({ id, appointmentDate }) => ({ id, start: appointmentDate.toISOString() }));
}
