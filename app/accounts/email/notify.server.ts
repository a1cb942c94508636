import { now } from "../../clock.ts";
import type { Transaction } from "../../db/client.server.ts";
import type { MessageContent } from "../../mail/message-content.ts";
import { moreFromVisitorsContent } from "../../mail/messages/request-messages.ts";
import { enqueueMessage, type NewMessage } from "../../mail/outbox.server.ts";

/** `firstName` is empty until the address is confirmed: a stranger may have typed both. */
type Recipient = { firstName: string; isConfirmed: boolean; isAdmin: boolean };

type AddresseeRow = { firstName: string; emailConfirmedAt: Date | null; isAdmin: boolean };

const COLUMNS = {
  id: true,
  email: true,
  firstName: true,
  emailConfirmedAt: true,
  isAdmin: true,
  closedAt: true,
} as const;

/**
 * Queues a message to an account in the transaction of its event. Queues nothing for an event without an account (`userId`
 * null), nor for a closed account, unless `isForClosed`: then the message must not need a page that one signs in for.
 * `compose` returns null where there is nothing to write.
 */
export async function notifyAccount(
  transaction: Transaction,
  userId: number | null,
  compose: (addressee: Recipient & { isClosed: boolean }, address: string) => NewMessage | Promise<NewMessage | null>,
  { isForClosed = false }: { isForClosed?: boolean } = {},
): Promise<void> {
  if (userId === null) return;
  const account = await transaction.user.findUnique({ where: { id: userId }, select: COLUMNS });
  const isClosed = account?.closedAt != null;
  if (!account || (isClosed && !isForClosed)) return;
  const addressee = toAddressee(account);
  const message = await compose({ ...addressee, isClosed }, account.email);
  if (message === null) return;
  const { isConfirmed } = addressee;
  const isFamily = !account.isAdmin;
  const recipient = {
    userId,
    address: account.email,
    isFamily,
    isConfirmed,
    isUnconfirmedAddress: isFamily && !isConfirmed,
  };
  await enqueueMessage(transaction, recipient, { ...message, content: addressedTo(addressee, message.content) });
}

/**
 * Queues a message to the administrator. `familyId` is the family that causes it, null for a visitor. For each of its
 * events, a limited number a day is mailed; the rest show in the portal only (outbox.server.ts). One mail a day (UTC)
 * says that there are more from visitors. What is urgent is counted apart. `compose` returns null where there is nothing to write.
 */
export async function notifyConsultant(
  transaction: Transaction,
  familyId: number | null,
  compose: (addressee: Recipient & { userId: number }) => NewMessage | Promise<NewMessage | null>,
  { isUrgent = false }: { isUrgent?: boolean } = {},
): Promise<void> {
  const accounts = await transaction.user.findMany({ where: { isAdmin: true, closedAt: null }, select: COLUMNS });
  for (const { id: userId, email: address, firstName } of accounts) {
    const message = await compose({ userId, firstName, isConfirmed: true, isAdmin: true });
    if (message === null) continue;
    const isMailed = await enqueueMessage(transaction, { userId, address, causedBy: familyId, isUrgent }, message);
    if (isMailed || familyId !== null) continue;
    const about = `more ${isUrgent ? "urgent " : ""}of ${now().toISOString().slice(0, 10)}`;
    await enqueueMessage(
      transaction,
      { userId, address },
      { event: message.event, about, content: moreFromVisitorsContent(firstName, { isUrgent }) },
    );
  }
}

/** The content as it is mailed to this person: to an address that nobody has confirmed, with a line for somebody else. */
export function addressedTo({ isConfirmed }: Recipient, content: MessageContent): MessageContent {
  return isConfirmed ? content : { ...content, mayReachStranger: true };
}

/** The person that a message greets. */
export function toAddressee({ firstName, emailConfirmedAt, isAdmin }: AddresseeRow): Recipient {
  // The consultant's address was set on the machine, or confirmed when she changed it.
  const isConfirmed = emailConfirmedAt !== null || isAdmin;
  return { firstName: isConfirmed ? firstName : "", isConfirmed, isAdmin };
}
