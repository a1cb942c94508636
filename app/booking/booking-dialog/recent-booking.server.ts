import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { HOUR_MS } from "../../time-units.ts";

/**
 * Returns the visit that the family booked within the last hour. Navigating back from its confirmation could make the
 * family book it again.
 */
export async function findRecentBooking(person: Person) {
  const visit = await db.appointment.findFirst({
    where: {
      userId: person.id,
      status: { not: "cancelled" },
      createdAt: { gt: new Date(now().getTime() - HOUR_MS) },
      appointmentDate: { gt: now() },
    },
    orderBy: { createdAt: "desc" },
    select: { id: true, title: true, appointmentDate: true },
  });
  return visit && { id: visit.id, title: visit.title, start: visit.appointmentDate.toISOString() };
}
