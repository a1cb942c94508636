import { notifyAccount } from "../../accounts/email/queue-account-message.server.ts";
import { now } from "../../clock.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import * as messages from "../../mail/messages/visit-messages.ts";
import { dropReminders } from "../../mail/drop-messages.server.ts";
import { latestMessageTimes, type NewMessage } from "../../mail/outbox.server.ts";
import { env } from "../../env.server.ts";
import { OPEN_STATUSES, timeStatus } from "../appointment-status.ts";
import {
  moveAndCancellationTerms,
  termsAfterPracticeMove,
  cancellationTermsAfterDeadline,
} from "../prices/cancellation-policy.ts";
import { calendarFileText } from "../confirmation/calendar-file.server.ts";
import { unrecordedPlaceText, pendingExactPlaceText, isAgreedPlaceChanged } from "../meeting-place.server.ts";
import { bookingConfirmationPath, visitQuestionsPath, videoCallPath } from "../appointment-paths.ts";
import { notifyConsultantOfChange } from "./consultant-visit-notifications.server.ts";
import { visitKind } from "../visit-kind.ts";
import {
  loadVisitForNotification,
  loadVisitAndPlaceForNotification,
  describePreviousTimeAndLength,
  describePlaceChange,
  type PreviousVisit,
  type Recipient,
  type Visit,
  toVisitDetails,
} from "./visit-details.server.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";

/** Who changed a visit. The consultant is also notified of changes by the family. */
export type ChangedBy = "family" | "practice";

/**
 * Notifies the family that its visit is booked, or that a visit booked for it now belongs to its account. Skips visits
 * that have begun.
 */
export async function notifyVisitBooked(transaction: Transaction, id: number, changedBy: ChangedBy): Promise<void> {
  const visit = await loadVisitAndPlaceForNotification(transaction, id);
  if (!visit || visit.appointmentDate <= now()) return;
  await notifyAccount(transaction, visit.userId, (recipient) => ({
    ...toOutboxMessage("visit-booked", visit, messages.visitBookedContent(toVisitDetails(visit, recipient)), recipient),
    expiresAt: visit.appointmentDate,
    isExemptFromLimits: changedBy === "practice",
  }));
  if (changedBy === "family") await notifyConsultantOfChange(transaction, visit, "booked");
}

/**
 * Notifies the family of its visit's new time, length or place. `previousVisit` has the previous values. Drops reminders of
 * the previous time.
 */
export async function notifyVisitMoved(
  transaction: Transaction,
  id: number,
  previousVisit: PreviousVisit,
  changedBy: ChangedBy,
): Promise<void> {
  await dropReminders(transaction, id);
  await notifyVisitChanged(transaction, id, previousVisit, changedBy);
}

/**
 * Notifies the family of its visit's new place. Keeps the reminders, because the time is the same. `practicePlace` is
 * the practice's own place that this transaction sets, if it does.
 */
export function notifyVisitPlaceChanged(
  transaction: Transaction,
  id: number,
  previousVisit: PreviousVisit,
  practicePlace?: string | null,
): Promise<void> {
  return notifyVisitChanged(transaction, id, previousVisit, "practice", practicePlace);
}

async function notifyVisitChanged(
  transaction: Transaction,
  id: number,
  previous: PreviousVisit,
  changedBy: ChangedBy,
  practicePlace?: string | null,
): Promise<void> {
  const visit = await loadVisitAndPlaceForNotification(transaction, id, practicePlace);
  if (!visit || visit.appointmentDate <= now()) return;
  const before: PreviousVisit = { practicePlace: visit.practicePlace, ...previous };
  const former = describePreviousTimeAndLength(before, visit);
  const isUnchanged = former.when === null && former.length === null;
  if (isUnchanged && !isAgreedPlaceChanged(visit, before)) return;
  const isMovedByPractice = changedBy === "practice" && former.when !== null;
  const termsOf = isMovedByPractice ? termsAfterPracticeMove : moveAndCancellationTerms;
  await notifyAccount(transaction, visit.userId, (recipient) => ({
    ...toOutboxMessage(
      "visit-moved",
      visit,
      messages.visitMovedContent(
        {
          ...toVisitDetails(visit, recipient),
          moveAndCancellationTerms: termsOf(visit, now(), env.practice.timeZone),
        },
        { previous: former, by: changedBy, placeChange: describePlaceChange(visit, before, recipient) },
      ),
      recipient,
    ),
    expiresAt: visit.appointmentDate,
    isExemptFromLimits: changedBy === "practice",
  }));
  if (changedBy === "family") await notifyConsultantOfChange(transaction, visit, "moved", before.appointmentDate);
}

/**
 * Notifies the family that its visit will not take place and what is refunded (`refundText`), and drops its reminders.
 * Must be called before the row is deleted, or after its status has changed. Skips visits that are over. A family whose
 * account is closed is notified only of cancellations that it did not make itself.
 */
export async function notifyVisitCanceled(
  transaction: Transaction,
  id: number,
  refundText: string,
  changedBy: ChangedBy | "payment",
): Promise<void> {
  await dropReminders(transaction, id);
  const found = await loadVisitForNotification(transaction, id);
  if (!found || timeStatus(found, now()) === "past") return;
  const isDeleted = found.status !== "cancelled";
  const calendarSequence = found.calendarSequence + (isDeleted ? 1 : 0);
  const visit: Visit = { ...found, status: "cancelled", calendarSequence };
  const when = formatPracticeDateTime(visit.appointmentDate);
  await notifyAccount(
    transaction,
    visit.userId,
    ({ firstName, isConfirmed, isClosed: isAccountClosed }) => ({
      ...toOutboxMessage(
        "visit-cancelled",
        visit,
        messages.visitCanceledContent({ firstName, when }, refundText, changedBy, { isAccountClosed }),
        { isConfirmed },
      ),
      isExemptFromLimits: changedBy !== "family",
    }),
    { isForClosed: changedBy !== "family" },
  );
  if (changedBy !== "practice")
    await notifyConsultantOfChange(transaction, visit, changedBy === "family" ? "canceled" : "payment-failed");
}

/**
 * Checks whether a visit's family was reminded of its current start. A change of the length alone does not reset this.
 */
export function isReminderWritten(
  { id, movedAt }: { id: number; movedAt: Date | null },
  remindedAt: ReadonlyMap<number, Date>,
): boolean {
  const at = remindedAt.get(id);
  return at !== undefined && (movedAt === null || at > movedAt);
}

/** Reminds the family of a visit, once for each start. Skips visits that are canceled or have begun. */
export async function writeVisitReminder(
  transaction: Transaction,
  id: number,
  event: "visit-reminder-24h" | "visit-reminder-1h",
): Promise<void> {
  // Locks the row. A concurrent move or cancellation either waits and then drops this reminder, or was first and is
  // visible here.
  await transaction.$executeRaw`UPDATE "appointments" SET "calendarSequence" = "calendarSequence" WHERE "id" = ${id}`;
  const visit = await loadVisitAndPlaceForNotification(transaction, id);
  if (!visit || !OPEN_STATUSES.includes(visit.status) || visit.appointmentDate <= now()) return;
  if (isReminderWritten(visit, await latestMessageTimes(event, [visit], transaction))) return;
  await notifyAccount(transaction, visit.userId, (recipient) => {
    const facts = toVisitDetails(visit, recipient);
    const isVideo = visitKind(visit) === "video";
    const path = isVideo ? videoCallPath(id) : bookingConfirmationPath(id);
    const content =
      event === "visit-reminder-24h"
        ? messages.dayReminderContent(
            {
              ...facts,
              // The text about the place is worded for less than a day before the visit.
              exactPlace: facts.exactPlace && pendingExactPlaceText(visit, visit.appointmentDate, "it"),
              moveAndCancellationTerms: cancellationTermsAfterDeadline(visit, now(), env.practice.timeZone),
            },
            { path: visitQuestionsPath(id), isAnswered: visit.visitAnswers !== null },
          )
        : messages.hourReminderContent(
            { ...facts, path, exactPlace: facts.exactPlace && unrecordedPlaceText() },
            isVideo,
          );
    return {
      ...toOutboxMessage(event, visit, content, recipient),
      expiresAt: visit.appointmentDate,
      isExemptFromLimits: true,
    };
  });
}

function toOutboxMessage(
  event: NewMessage["event"],
  visit: Visit,
  content: NewMessage["content"],
  { isConfirmed }: Pick<Recipient, "isConfirmed">,
): NewMessage {
  const { id, calendarSequence } = visit;
  const subjectKey = `appointment ${id}, ${calendarSequence}`;
  return {
    event,
    subjectKey,
    content,
    appointmentId: id,
    calendar: calendarFileText(visit, { hidesTypedText: !isConfirmed }),
  };
}
