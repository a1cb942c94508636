import { notifyConsultant } from "../../accounts/email/notify.server.ts";
import { now } from "../../clock.ts";
import type { Transaction } from "../../db/client.server.ts";
import { HOUR_MS } from "../../duration.ts";
import { appendToPendingDigest } from "../../mail/digest.server.ts";
import {
  type VisitChange,
  visitChangedContent,
  visitChangeFact,
  visitsChangedContent,
} from "../../mail/messages/consultant-visit-messages.ts";
import { formatPracticeTime } from "../../practice/format-time.server.ts";
import { appointmentDetailsPath } from "../paths.ts";

const EVENT = "visits-changed";
/** She could be on her way: a change of a visit that starts, or was to start, so soon waits for no other one. */
const IMMINENT_MS = 3 * HOUR_MS;

type ChangedVisit = { id: number; userId: number | null; calendarSequence: number; appointmentDate: Date };

/**
 * Tells the consultant what a family did to its visit, in the transaction of it: at once, and further changes of the same
 * family within an hour in one mail, which goes out early with a change of a visit that is near. `before` is the start of a
 * visit that was moved.
 */
export async function notifyConsultantOfChange(
  transaction: Transaction,
  { id, userId: familyId, calendarSequence, appointmentDate }: ChangedVisit,
  change: VisitChange,
  before: Date | null = null,
): Promise<void> {
  if (familyId === null) return;
  const visit = {
    change,
    when: formatPracticeTime(appointmentDate),
    before: before && formatPracticeTime(before),
    path: appointmentDetailsPath(id),
  };
  const isAtOnce = [appointmentDate, before].some((start) => start && start.getTime() - now().getTime() <= IMMINENT_MS);
  await notifyConsultant(transaction, familyId, async ({ userId, firstName }) => {
    const { isAdded, dueAt } = await appendToPendingDigest(
      transaction,
      { event: EVENT, userId, familyId, isAtOnce },
      [visitChangeFact(visit)],
      (facts) => visitsChangedContent(firstName, familyId, facts),
    );
    if (isAdded) return null;
    const about = `appointment ${id}, ${calendarSequence}, ${change}`;
    return { event: EVENT, about, content: visitChangedContent(firstName, visit), ...(dueAt && { dueAt }) };
  });
}
