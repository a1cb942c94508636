import type { Person } from "../accounts/person.ts";
import { recordAuditNow } from "../audit/record-audit.server.ts";
import { listAdminAppointmentsWithAudit } from "../booking/appointment-list/admin-appointments.server.ts";
import { amountDueText, formatUpcomingAmount } from "../booking/appointment-list/amount-due-text.ts";
import { listFollowUps } from "../booking/follow-ups/follow-ups.server.ts";
import { listFamilyNotes } from "../booking/notes/family-notes.server.ts";
import { recordAppointmentOpened } from "../booking/find-appointment.server.ts";
import { practiceTodayBounds } from "../booking/practice-today.server.ts";
import { findVisitAnswers } from "../booking/visit-answers/visit-answers.server.ts";
import { listUnreviewedUploadsOfFamily } from "../documents/document-review.server.ts";
import { summarizeChild } from "../intake/child-summary.ts";
import { findIntakeForm } from "../intake/intake-forms.server.ts";
import type { VisitBriefing } from "./visit-briefing-types.ts";

const MAX_FOLLOW_UPS = 10;
const MAX_DOCUMENTS = 10;
const MAX_PAST_VISITS = 100;

/**
 * Returns what the consultant needs to know about a family right before a visit, a part of what the family's page
 * shows. Each call adds an entry to the access log, as opening that page does. For anyone else, or if the visit belongs
 * to no account, records that the appointment was opened and returns null.
 */
export async function findVisitBriefingWithAudit(
  person: Person,
  { id, familyId }: { id: number; familyId: number | null },
): Promise<VisitBriefing | null> {
  if (!person.isAdmin || familyId === null) {
    await recordAppointmentOpened({ id, userId: familyId });
    return null;
  }
  await recordAuditNow({ action: "family-page-opened", familyId, objectId: familyId });
  const today = practiceTodayBounds();
  const untilToday = { userId: familyId, appointmentDate: { lt: today.until } };
  const [intake, answers, notes, followUps, documents, visits] = await Promise.all([
    findIntakeForm(person, familyId),
    findVisitAnswers(person, id),
    listFamilyNotes(person, familyId, 1),
    listFollowUps(person, familyId),
    listUnreviewedUploadsOfFamily(person, familyId, MAX_DOCUMENTS),
    listAdminAppointmentsWithAudit(person, { where: untilToday, order: "desc", take: MAX_PAST_VISITS }),
  ]);
  const [lastNote] = notes.rows;
  const openFollowUps = followUps.filter(({ isDone }) => !isDone);
  return {
    familyId,
    profile: intake.ok ? summarizeChild(intake.value) : null,
    answers,
    lastNote: lastNote ? { text: lastNote.text, createdAt: lastNote.createdAt } : null,
    followUps: openFollowUps.slice(0, MAX_FOLLOW_UPS),
    moreFollowUps: Math.max(0, openFollowUps.length - MAX_FOLLOW_UPS),
    documents: documents.rows,
    moreDocuments: documents.more,
    amountDueText: amountDueText(visits, today.from),
    upcomingAmount: formatUpcomingAmount(visits),
  };
}
