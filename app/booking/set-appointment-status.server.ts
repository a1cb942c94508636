import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import type { Person } from "../accounts/person.ts";
import { inTransaction } from "../db/database-client.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import type { SettableStatus } from "./appointment-status.ts";
import { type Appointment, findAppointment } from "./find-appointment.server.ts";

/**
 * Sets the status of an appointment, for the administrator. A canceled appointment stays canceled, because it may have
 * been refunded. Refusals: forbidden, notFound, conflict.
 */
export async function setAppointmentStatus(
  person: Person,
  id: number | null,
  status: SettableStatus,
): Promise<Outcome<Appointment>> {
  const found = refusalUnlessAdmin(person) ?? (await findAppointment(person, id));
  if (!found.ok) return found;
  const where = { id: found.value.id, status: { not: "cancelled" } };
  const isChanged = await inTransaction(async (transaction) => {
    const { count } = await transaction.appointment.updateMany({ where, data: { status } });
    const { id: objectId, userId: familyId } = found.value;
    if (count === 1) recordAuditInTransaction(transaction, { action: "appointment-changed", familyId, objectId });
    return count === 1;
  });
  return isChanged
    ? accepted({ ...found.value, status })
    : refused("conflict", "This visit is canceled. Schedule a new one instead.");
}
