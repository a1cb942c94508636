import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/client.server.ts";
import { HOUR_MS } from "../../duration.ts";

/** The visit that the family has booked within the last hour, which Back from its confirmation would make it book again. */
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
