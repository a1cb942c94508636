import { now } from "../../clock.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import type { MessageContent } from "../../mail/message-content.ts";
import { moreVisitorRequestsContent } from "../../mail/messages/consultation-request-messages.ts";
import { enqueueMessage, type NewMessage } from "../../mail/outbox.server.ts";

/** `firstName` is empty until the address is confirmed, because another person may have typed both. */
type RecipientProfile = { firstName: string; isConfirmed: boolean; isAdmin: boolean };

type RecipientAccount = { firstName: string; emailConfirmedAt: Date | null; isAdmin: boolean };

const RECIPIENT_SELECT = {
  id: true,
  email: true,
  firstName: true,
  emailConfirmedAt: true,
  isAdmin: true,
  closedAt: true,
} as const;

/**
 * Queues a message to an account, in the transaction of the event that it is about. Queues nothing if `userId` is null
 * (an event without an account). Queues nothing for a closed account unless `isForClosed` is set; such a message must
 * not require a page behind the sign-in. `compose` returns null if there is nothing to send.
 */
export async function notifyAccount(
  transaction: Transaction,
  userId: number | null,
  compose: (
    recipient: RecipientProfile & { isClosed: boolean },
    address: string,
  ) => NewMessage | Promise<NewMessage | null>,
  { isForClosed = false }: { isForClosed?: boolean } = {},
): Promise<void> {
  if (userId === null) return;
  const account = await transaction.user.findUnique({ where: { id: userId }, select: RECIPIENT_SELECT });
  const isClosed = account?.closedAt != null;
  if (!account || (isClosed && !isForClosed)) return;
  const recipient = toRecipientProfile(account);
  const message = await compose({ ...recipient, isClosed }, account.email);
  if (message === null) return;
  const { isConfirmed } = recipient;
  const isFamily = !account.isAdmin;
  const messageRecipient = {
    userId,
    address: account.email,
    isFamily,
    isConfirmed,
    isUnconfirmedAddress: isFamily && !isConfirmed,
  };
  await enqueueMessage(transaction, messageRecipient, {
    ...message,
    content: addWrongRecipientNotice(recipient, message.content),
  });
}

/**
 * Queues a message to the administrator. `familyId` is the family that caused it, null for a visitor. Only a limited
 * number of messages a day is mailed for each family or visitor event; the rest appear in the portal only
 * (outbox.server.ts). One message a day (UTC) says that there are more from visitors. Urgent messages are counted
 * separately. `compose` returns null if there is nothing to send.
 */
export async function notifyConsultant(
  transaction: Transaction,
  familyId: number | null,
  compose: (recipient: RecipientProfile & { userId: number }) => NewMessage | Promise<NewMessage | null>,
  { isUrgent = false }: { isUrgent?: boolean } = {},
): Promise<void> {
  const accounts = await transaction.user.findMany({
    where: { isAdmin: true, closedAt: null },
    select: RECIPIENT_SELECT,
  });
  for (const { id: userId, email: address, firstName } of accounts) {
    const message = await compose({ userId, firstName, isConfirmed: true, isAdmin: true });
    if (message === null) continue;
    const shouldMail = await enqueueMessage(
      transaction,
      { userId, address, triggeringFamilyId: familyId, isUrgent },
      message,
    );
    if (shouldMail || familyId !== null) continue;
    const subjectKey = `more ${isUrgent ? "urgent " : ""}of ${now().toISOString().slice(0, 10)}`;
    await enqueueMessage(
      transaction,
      { userId, address },
      { event: message.event, subjectKey, content: moreVisitorRequestsContent(firstName, { isUrgent }) },
    );
  }
}

/**
 * Returns the content as it is mailed to this person. If the address is not confirmed, it includes a line for an
 * unintended recipient.
 */
export function addWrongRecipientNotice({ isConfirmed }: RecipientProfile, content: MessageContent): MessageContent {
  return isConfirmed ? content : { ...content, mayReachStranger: true };
}

/** Returns the person whom a message greets. */
export function toRecipientProfile({ firstName, emailConfirmedAt, isAdmin }: RecipientAccount): RecipientProfile {
  // The consultant's address was set on the server, or confirmed when she changed it.
  const isConfirmed = emailConfirmedAt !== null || isAdmin;
  return { firstName: isConfirmed ? firstName : "", isConfirmed, isAdmin };
}
