import { assertAdministrator } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { db, inTransaction } from "../../db/database-client.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { findAppointment, accessibleAppointmentsCondition } from "../find-appointment.server.ts";
import { OPEN_STATUSES, timeStatus } from "../appointment-status.ts";
import type { VisitAnswers } from "./visit-question-texts.ts";

/** Number of latest visits whose answers are shown next to the intake form. */
const MAX_ANSWERED_VISITS = 3;

const ANSWER_SELECT = { important: true, change: true, pages: true } as const;
const tooLateRefusal = refused("conflict", "This visit is over or canceled, so its questions are closed.");

/**
 * Returns a family's own visit with its answers to the three questions (null: none yet). Instants are UTC. Refusals:
 * notFound, conflict (the visit is over or canceled).
 */
export async function findVisitForQuestions(person: Person, id: number | null) {
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const { appointmentDate, status } = found.value;
  if (!OPEN_STATUSES.includes(status) || timeStatus(found.value, now()) === "past") return tooLateRefusal;
  const answers = await db.visitAnswer.findUnique({ where: { appointmentId: found.value.id }, select: ANSWER_SELECT });
  return accepted({ id: found.value.id, start: appointmentDate.toISOString(), answers });
}

/** Checks whether the family has answered the questions before a visit. The caller must check access to the visit. */
export async function hasVisitAnswers(appointmentId: number): Promise<boolean> {
  return (await db.visitAnswer.count({ where: { appointmentId } })) > 0;
}

/**
 * Stores a family's answers to the questions before its visit, replacing earlier ones. Refusals: notFound, conflict.
 */
export async function saveVisitAnswers(
  person: Person,
  id: number | null,
  { important, change, pages }: Partial<VisitAnswers>,
): Promise<Outcome<{ id: number }>> {
  const found = await findVisitForQuestions(person, id);
  if (!found.ok) return found;
  const appointmentId = found.value.id;
  const answers = { important: important ?? null, change: change ?? null, pages: pages ?? null, updatedAt: now() };
  return inTransaction(async (transaction) => {
    // Waits for a concurrent cancellation, move or deletion of the visit.
    const { count } = await transaction.appointment.updateMany({
      where: { id: appointmentId, ...accessibleAppointmentsCondition(person), status: { in: OPEN_STATUSES } },
      data: { updatedAt: now() },
    });
    if (count === 0) return tooLateRefusal;
    await transaction.visitAnswer.upsert({
      where: { appointmentId },
      create: { appointmentId, ...answers },
      update: answers,
      select: { appointmentId: true },
    });
    recordAuditInTransaction(transaction, {
      action: "questions-answered",
      familyId: person.id,
      objectId: appointmentId,
    });
    return accepted({ id: appointmentId });
  });
}

/**
 * Returns the family's answers before one visit; null without answers. For the administrator; throws for anyone else.
 */
export async function findVisitAnswers(person: Person, appointmentId: number): Promise<VisitAnswers | null> {
  assertAdministrator(person);
  return db.visitAnswer.findUnique({ where: { appointmentId }, select: ANSWER_SELECT });
}

/**
 * Returns a family's answers before its latest three visits that have answers, for the administrator; throws for anyone
 * else.
 */
export async function listFamilyVisitAnswers(person: Person, userId: number) {
  assertAdministrator(person);
  const rows = await db.visitAnswer.findMany({
    where: { appointment: { userId } },
    orderBy: [{ appointment: { appointmentDate: "desc" } }, { appointmentId: "desc" }],
    take: MAX_ANSWERED_VISITS,
    select: { ...ANSWER_SELECT, appointment: { select: { id: true, appointmentDate: true } } },
  });
  return rows.map(({ appointment, ...answers }) => ({
    id: appointment.id,
    start: appointment.appointmentDate.toISOString(),
    answers,
  }));
}
