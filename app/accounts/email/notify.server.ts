import { now } from "../../clock.ts";
import type { Transaction } from "../../db/client.server.ts";
import { moreFromVisitorsContent } from "../../mail/messages/request-messages.ts";
import { enqueueMessage, type NewMessage } from "../../mail/outbox.server.ts";

/** `firstName` is empty until the address is confirmed: a stranger may have typed both. */
type Addressee = { firstName: string; isConfirmed: boolean };

const COLUMNS = { id: true, email: true, firstName: true, emailConfirmedAt: true, isAdmin: true } as const;

/**
 * Writes a message to an account in the transaction of what it tells about. Nobody is told of a closed account, or of
 * what belongs to no account (`userId` null).
 */
export async function notifyAccount(
  transaction: Transaction,
  userId: number | null,
  compose: (addressee: Addressee) => NewMessage,
): Promise<void> {
  if (userId === null) return;
  const account = await transaction.user.findFirst({ where: { id: userId, closedAt: null }, select: COLUMNS });
  if (!account) return;
  const addressee = toAddressee(account);
  const recipient = { userId, address: account.email, isFamily: !account.isAdmin, isConfirmed: addressee.isConfirmed };
  await enqueueMessage(transaction, recipient, compose(addressee));
}

/**
 * Writes a message to the administrator. `familyId` is the family that brings it about, null for a visitor: of each of
 * its events only so many a day are mailed, the further ones stand in the portal (outbox.server.ts). That there are
 * further ones of visitors is mailed once a day (UTC).
 */
export async function notifyConsultant(
  transaction: Transaction,
  familyId: number | null,
  compose: (addressee: Addressee) => NewMessage,
): Promise<void> {
  const accounts = await transaction.user.findMany({ where: { isAdmin: true, closedAt: null }, select: COLUMNS });
  for (const { id: userId, email: address, firstName } of accounts) {
    const message = compose({ firstName, isConfirmed: true });
    const isMailed = await enqueueMessage(transaction, { userId, address, causedBy: familyId }, message);
    if (isMailed || familyId !== null) continue;
    const about = `more of ${now().toISOString().slice(0, 10)}`;
    await enqueueMessage(
      transaction,
      { userId, address },
      { event: message.event, about, content: moreFromVisitorsContent() },
    );
  }
}

/** Whom a message greets. */
export function toAddressee({ firstName, emailConfirmedAt }: { firstName: string; emailConfirmedAt: Date | null }) {
  const isConfirmed = emailConfirmedAt !== null;
  return { firstName: isConfirmed ? firstName : "", isConfirmed };
}
