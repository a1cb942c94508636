import type { Transaction } from "../../db/database-client.server.ts";
import {
  dropUnsentMessagesBySubject,
  dropUnsentMessagesForEvent,
  listMessageSubjectKeys,
} from "../../mail/drop-messages.server.ts";
import { practiceToday } from "../practice-today.server.ts";

const FOLLOW_UPS_SHARED_EVENT = "follow-ups-shared";
const FIRST_FOLLOW_UP_ID_PATTERN = /^follow-ups from (\d+) on$/;

/** Returns the subject (`subjectKey`) of the message about a visit's follow-ups, whose ids are `ids`. */
export function sharedFollowUpsSubjectKey(ids: readonly number[]): string {
  return `follow-ups from ${Math.min(...ids)} on`;
}

/**
 * Drops unsent email messages about follow-ups of a family if all of these follow-ups have been deleted. Also drops the
 * due reminder if no shared follow-up is due.
 */
export async function dropMailsOfDeletedFollowUps(transaction: Transaction, userId: number): Promise<void> {
  const shared = await transaction.followUp.findMany({
    where: { userId, isShared: true },
    select: { id: true, dueDay: true, doneAt: true, appointmentId: true },
  });
  if (!shared.some(({ dueDay, doneAt }) => doneAt === null && dueDay <= practiceToday()))
    await dropUnsentMessagesForEvent(transaction, userId, "follow-up-due");
  const firstIds = (await listMessageSubjectKeys(transaction, userId, FOLLOW_UPS_SHARED_EVENT))
    .map((subjectKey) => Number(FIRST_FOLLOW_UP_ID_PATTERN.exec(subjectKey)?.[1]))
    .toSorted((a, b) => a - b);
  const empty = firstIds.filter((firstId, index) => {
    const nextId = firstIds[index + 1] ?? Infinity;
    return !shared.some(({ id, appointmentId }) => appointmentId !== null && id >= firstId && id < nextId);
  });
  await dropUnsentMessagesBySubject(
    transaction,
    userId,
    FOLLOW_UPS_SHARED_EVENT,
    empty.map((id) => sharedFollowUpsSubjectKey([id])),
  );
}
