import { requireAdmin } from "../accounts/access.server.ts";
import type { Person } from "../accounts/person.ts";
import { db } from "../db/client.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import type { ManualStatus } from "./appointment-status.ts";
import { type Appointment, findAppointment } from "./appointments.server.ts";

/**
 * Sets the status of an appointment for the administrator. A cancelled one stays cancelled, because it may have been
 * refunded. Refusals: forbidden, notFound, conflict.
 */
export async function setStatus(
  person: Person,
  id: number | null,
  status: ManualStatus,
): Promise<Outcome<Appointment>> {
  const found = requireAdmin(person) ?? (await findAppointment(person, id));
  if (!found.ok) return found;
  const where = { id: found.value.id, status: { not: "cancelled" } };
  const { count } = await db.appointment.updateMany({ where, data: { status } });
  return count === 1
    ? accepted({ ...found.value, status })
    : refused("conflict", "This appointment is cancelled. Schedule a new one instead.");
}
