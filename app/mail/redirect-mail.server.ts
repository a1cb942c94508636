import { now } from "../clock.ts";
import type { Transaction } from "../db/database-client.server.ts";
import { DAY_MS } from "../time-units.ts";
import { excludeSupersededMessages } from "./delivery-order.server.ts";
import { type MailEvent, SECURITY_EVENTS, mailTopicOfEvent } from "./mail-events.ts";
import { listOptOuts } from "./preferences.server.ts";
import { makeFailedMessagesDueNow } from "./delivery-retry.server.ts";

/** Events about one address of an account. Their messages are not sent to a later address. */
const ADDRESS_BOUND_EVENTS: MailEvent[] = [
  ...SECURITY_EVENTS,
  "account-changed",
  "account-made",
  "confirm-email",
  "password-reset",
];

/** Maximum age of a message that the earlier address permanently refused and that is sent again. */
const MAX_REFUSED_AGE_MS = 3 * DAY_MS;

/**
 * Redirects the pending messages of an account to its current address. Also resends those from the last three days that
 * the earlier address permanently refused, if they are still correct and useful and the person has not turned off their
 * topic.
 */
export async function redirectUndeliveredMail(
  transaction: Transaction,
  userId: number,
  address: string,
): Promise<void> {
  const messageCondition = { userId, event: { notIn: ADDRESS_BOUND_EVENTS } };
  await transaction.message.updateMany({ where: { ...messageCondition, state: "pending" }, data: { address } });
  await makeFailedMessagesDueNow(transaction, messageCondition);
  const refusedMessages = await transaction.message.findMany({
    where: {
      ...messageCondition,
      state: "failed",
      createdAt: { gt: new Date(now().getTime() - MAX_REFUSED_AGE_MS) },
      OR: [{ expiresAt: null }, { expiresAt: { gt: now() } }],
    },
    select: { id: true, event: true, appointmentId: true },
  });
  if (refusedMessages.length === 0) return;
  const optOuts = await listOptOuts(userId, transaction);
  const messagesToResend = refusedMessages.filter(({ event }) => !optOuts.includes(mailTopicOfEvent(event) ?? ""));
  const ids = (await excludeSupersededMessages(transaction, userId, messagesToResend)).map(({ id }) => id);
  await transaction.message.updateMany({
    where: { id: { in: ids }, state: "failed" },
    data: { address, state: "pending", failure: null, nextAttemptAt: now() },
  });
}
