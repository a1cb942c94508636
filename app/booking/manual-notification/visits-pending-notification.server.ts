import { assertAdministrator, refusalUnlessAdmin } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { db, inTransaction } from "../../db/database-client.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { pendingNotificationCondition } from "../appointment-list/appointment-conditions.server.ts";
import { type Appointment, appointmentNotFoundRefusal, findAppointment } from "../find-appointment.server.ts";
import { resolveClientName } from "../client-name.ts";
import { pendingNotificationText } from "./manual-notification.ts";

const PENDING_NOTIFICATION_SELECT = {
  id: true,
  userId: true,
  title: true,
  notes: true,
  status: true,
  cancelReason: true,
  appointmentDate: true,
  isLiveVideoCall: true,
  meetingLink: true,
  place: true,
  toldAt: true,
  consultationRequest: { select: { firstName: true, email: true, phone: true } },
} as const;

/**
 * Returns upcoming visits whose person has no account, gets no messages and was not notified yet, soonest first: at
 * most `take` rows, and the total count. For the administrator; throws for anyone else.
 */
export async function findVisitsPendingNotification(person: Person, take: number) {
  assertAdministrator(person);
  const currentTime = now();
  const where = pendingNotificationCondition(currentTime);
  const orderBy = [{ appointmentDate: "asc" as const }, { id: "asc" as const }];
  const found = await db.appointment.findMany({ where, orderBy, take, select: PENDING_NOTIFICATION_SELECT });
  const rows = found.map((visit) => ({
    ...visit,
    name: resolveClientName(visit).name,
    pendingNotificationText: pendingNotificationText(visit, currentTime),
  }));
  return { rows, count: rows.length < take ? rows.length : await db.appointment.count({ where }) };
}

/**
 * Records that the person of a visit without an account was notified of the visit's current state, or, with
 * `isNotified` false, that they were not. For the administrator. Refusals: forbidden; notFound; conflict (the visit
 * belongs to an account, which is notified by email, or was changed or canceled meanwhile).
 */
export async function setPersonNotified(
  person: Person,
  id: number | null,
  isNotified: boolean,
): Promise<Outcome<Appointment>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const { id: objectId, userId, status, appointmentDate, calendarSequence } = found.value;
  if (userId !== null) return refused("conflict", "This visit belongs to an account now, which gets our messages.");
  const toldAt = isNotified ? now() : null;
  const marked = await inTransaction(async (transaction) => {
    const where = { id: objectId, userId: null, status, appointmentDate, calendarSequence };
    const { count } = await transaction.appointment.updateMany({ where, data: { toldAt } });
    if (count === 1) recordAuditInTransaction(transaction, { action: "appointment-changed", objectId });
    return count === 1;
  });
  return marked ? accepted({ ...found.value, toldAt }) : appointmentNotFoundRefusal();
}
