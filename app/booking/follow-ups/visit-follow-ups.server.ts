import { notifyAccount } from "../../accounts/email/queue-account-message.server.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import { followUpsSharedContent } from "../../mail/messages/follow-up-messages.ts";
import { formatLongPlainDate } from "../../ui/format-date-time.ts";
import { sharedFollowUpsSubjectKey } from "./drop-follow-up-messages.server.ts";
import { insertFollowUps, markDueFollowUpsReminded, type NewFollowUp } from "./follow-ups.server.ts";

/**
 * Adds the follow-ups of a finished visit, whose row the caller has locked, and notifies the family in one message of
 * those that it can see. Follow-ups due by today get no separate reminder. Skips follow-ups that the visit already has
 * because the same form was sent before.
 */
export async function insertVisitFollowUpsAndNotify(
  transaction: Transaction,
  visit: { userId: number; appointmentId: number },
  posted: readonly NewFollowUp[],
): Promise<void> {
  const existing = await transaction.followUp.findMany({
    where: visit,
    select: { text: true, dueDay: true, isShared: true },
  });
  const followUps = posted.filter((followUp) => !existing.some((other) => isSame(other, followUp)));
  const ids = await insertFollowUps(transaction, visit, followUps);
  const shared = followUps.flatMap(({ isShared, dueDay }, index) => (isShared ? [{ id: ids[index]!, dueDay }] : []));
  const [first] = shared.toSorted((a, b) => a.dueDay.localeCompare(b.dueDay));
  if (!first) return;
  await markDueFollowUpsReminded(
    transaction,
    shared.map(({ id }) => id),
  );
  await notifyAccount(transaction, visit.userId, ({ firstName }) => ({
    event: "follow-ups-shared",
    subjectKey: sharedFollowUpsSubjectKey(ids),
    content: followUpsSharedContent(firstName, { count: shared.length, firstDay: formatLongPlainDate(first.dueDay) }),
    isExemptFromLimits: true,
  }));
}

function isSame(one: NewFollowUp, { text, dueDay, isShared }: NewFollowUp): boolean {
  return one.text === text && one.dueDay === dueDay && one.isShared === isShared;
}
