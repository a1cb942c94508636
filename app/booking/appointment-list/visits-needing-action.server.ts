import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import type { Person } from "../../accounts/person.ts";
import { db } from "../../db/database-client.server.ts";
import { listAdminAppointmentsWithAudit } from "./admin-appointments.server.ts";
import { UNPAID_CONDITION, OPEN_STATUS_CONDITION } from "./appointment-conditions.server.ts";

/**
 * Returns visits that started before `before` and need an action by the administrator, newest first: unpaid ones and
 * ones without an outcome. Returns at most `take` rows, and the total count. Throws for anyone else.
 */
export async function findVisitsNeedingAction(person: Person, before: Date, take: number) {
  const [unpaid, withoutStatus] = await Promise.all([
    listPastAppointmentsWithCount(person, { ...UNPAID_CONDITION, appointmentDate: { lt: before } }, take),
    listPastAppointmentsWithCount(person, { ...OPEN_STATUS_CONDITION, appointmentDate: { lt: before } }, take),
  ]);
  return { unpaid, withoutStatus };
}

async function listPastAppointmentsWithCount(person: Person, where: Prisma.AppointmentWhereInput, take: number) {
  const rows = await listAdminAppointmentsWithAudit(person, { where, order: "desc", take });
  // Counts only if there may be more rows than `take`.
  return { rows, count: rows.length < take ? rows.length : await db.appointment.count({ where }) };
}
