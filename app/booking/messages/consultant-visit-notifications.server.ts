import { notifyConsultant } from "../../accounts/email/queue-account-message.server.ts";
import { now } from "../../clock.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import { HOUR_MS } from "../../time-units.ts";
import { appendToPendingDigest } from "../../mail/mail-digest.server.ts";
import {
  type VisitChange,
  visitChangedForConsultantContent,
  visitChangeFact,
  visitsChangedForConsultantContent,
} from "../../mail/messages/consultant-visit-messages.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { appointmentDetailsPath } from "../appointment-paths.ts";
import { ownPlace } from "../visit-kind.ts";

const VISITS_CHANGED_EVENT = "visits-changed";
/**
 * Changes of visits that start, or were to start, within this time are sent immediately, because she could already be
 * on her way.
 */
const IMMINENT_VISIT_MS = 3 * HOUR_MS;

type ChangedVisit = Parameters<typeof ownPlace>[0] & {
  id: number;
  userId: number | null;
  calendarSequence: number;
  appointmentDate: Date;
};

/**
 * Notifies the consultant, in the same transaction, of what a family did to its visit. The first change is sent
 * immediately; further changes by the same family within an hour are combined in one email message, which is sent early
 * if a change affects a visit that starts soon. `previousStart` is the previous start of a moved visit.
 */
export async function notifyConsultantOfChange(
  transaction: Transaction,
  changedVisit: ChangedVisit,
  change: VisitChange,
  previousStart: Date | null = null,
): Promise<void> {
  const { id, userId: familyId, calendarSequence, appointmentDate } = changedVisit;
  if (familyId === null) return;
  const visit = {
    change,
    when: formatPracticeDateTime(appointmentDate),
    previousStart: previousStart && formatPracticeDateTime(previousStart),
    hasOwnPlace: ownPlace(changedVisit) !== null,
    path: appointmentDetailsPath(id),
  };
  const isAtOnce = [appointmentDate, previousStart].some(
    (start) => start && start.getTime() - now().getTime() <= IMMINENT_VISIT_MS,
  );
  await notifyConsultant(transaction, familyId, async ({ userId, firstName }) => {
    const { isAdded, dueAt } = await appendToPendingDigest(
      transaction,
      { event: VISITS_CHANGED_EVENT, userId, familyId, shouldSendImmediately: isAtOnce },
      [visitChangeFact(visit)],
      (facts) => visitsChangedForConsultantContent(firstName, familyId, facts),
    );
    if (isAdded) return null;
    const subjectKey = `appointment ${id}, ${calendarSequence}, ${change}`;
    return {
      event: VISITS_CHANGED_EVENT,
      subjectKey,
      content: visitChangedForConsultantContent(firstName, visit),
      ...(dueAt && { dueAt }),
    };
  });
}
