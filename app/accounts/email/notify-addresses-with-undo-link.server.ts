import { now } from "../../clock.ts";
import type { Transaction } from "../../db/client.server.ts";
import { enqueueMessage, type NewMessage } from "../../mail/outbox.server.ts";

/** More than an account can change its address in the days of the links. */
const MAX_ADDRESSES = 50;

/**
 * Queues a message to each previous address of an account that can still undo the change: somebody else than the owner may
 * have made it. Those mailboxes may have other owners by now, so the message contains no personal data.
 */
export async function notifyAddressesWithUndoLink(
  transaction: Transaction,
  userId: number,
  message: NewMessage,
): Promise<void> {
  const { email } = await transaction.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  const changes = await transaction.emailChange.findMany({
    where: { userId, oldEmail: { not: email }, undoTokenHash: { not: null }, undoUntil: { gt: now() } },
    distinct: ["oldEmail"],
    orderBy: { id: "asc" },
    take: MAX_ADDRESSES,
    select: { id: true, oldEmail: true },
  });
  for (const { id, oldEmail } of changes) {
    const about = `${message.about}, to the address before change ${id}`;
    await enqueueMessage(transaction, { userId, address: oldEmail }, { ...message, about });
  }
}
