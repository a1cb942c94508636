import { MAX_OPEN_UNDO_LINKS, openUndoLinkCondition } from "./undo-link-condition.server.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import { enqueueMessage, type NewMessage } from "../../mail/outbox.server.ts";

/**
 * Queues a message to each previous address of an account that can still undo the change, because another person may
 * have made the change. Those mailboxes may have new owners, so the message contains no personal data.
 */
export async function notifyUndoableFormerAddresses(
  transaction: Transaction,
  userId: number,
  message: NewMessage,
): Promise<void> {
  const { email } = await transaction.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  const changes = await transaction.emailChange.findMany({
    where: { userId, oldEmail: { not: email }, ...openUndoLinkCondition() },
    distinct: ["oldEmail"],
    orderBy: { id: "asc" },
    take: MAX_OPEN_UNDO_LINKS,
    select: { id: true, oldEmail: true },
  });
  for (const { id, oldEmail } of changes) {
    const subjectKey = `${message.subjectKey}, to the address before change ${id}`;
    await enqueueMessage(transaction, { userId, address: oldEmail }, { ...message, subjectKey });
  }
}
