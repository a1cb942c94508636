import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/client.server.ts";
import { clientName } from "../client-name.ts";

/** Many more than can be booked without an account at one time. */
const MAX_SEARCHED = 200;
const MAX_OFFERED = 5;

/** Visits to come that no account has and whose list names this person, the next ones first. Empty for a family. */
export async function unclaimedVisitsOf(
  person: Person,
  { firstName, lastName }: { firstName: string; lastName: string },
) {
  if (!person.isAdmin) return [];
  const visits = await db.appointment.findMany({
    where: { userId: null, status: { not: "cancelled" }, appointmentDate: { gt: now() } },
    orderBy: [{ appointmentDate: "asc" }, { id: "asc" }],
    take: MAX_SEARCHED,
    select: { id: true, userId: true, title: true, notes: true, appointmentDate: true },
  });
  const name = `${firstName} ${lastName}`.toLowerCase();
  return visits
    .filter((visit) => clientName(visit).name.toLowerCase() === name)
    .slice(0, MAX_OFFERED)
    .map(({ id, appointmentDate }) => ({ id, start: appointmentDate.toISOString() }));
}
