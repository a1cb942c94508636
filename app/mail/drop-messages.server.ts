import { now } from "../clock.ts";
import type { Transaction } from "../db/database-client.server.ts";
import { type MailEvent, REMINDER_EVENTS } from "./mail-events.ts";
import { messageKey, parseMessageKey } from "./message-key.server.ts";

/**
 * Events whose messages link to a page that requires signing in, or become incorrect through the cancellations that
 * closing an account causes.
 */
const EVENTS_OF_OPEN_ACCOUNT: MailEvent[] = [
  "visit-booked",
  "visit-moved",
  ...REMINDER_EVENTS,
  "waiting-list-offer",
  "follow-ups-shared",
  "follow-up-due",
  "document-added",
];

/**
 * Drops the unsent reminders of a visit that was moved, canceled or deleted. With `events`, drops only those reminders,
 * because a later one follows.
 */
export async function dropReminders(
  transaction: Transaction,
  appointmentId: number,
  events: readonly (typeof REMINDER_EVENTS)[number][] = REMINDER_EVENTS,
): Promise<void> {
  await dropUnsentMessages(transaction, { appointmentId, event: { in: [...events] } });
}

/** Drops the unsent messages to an account about subjects that have ended (see `NewMessage.about`). */
export async function dropUnsentMessagesBySubject(
  transaction: Transaction,
  userId: number,
  event: MailEvent,
  subjectKeys: readonly string[],
): Promise<void> {
  const keys = subjectKeys.map((subjectKey) => messageKey(event, subjectKey, { userId, address: "" }));
  if (keys.length > 0) await dropUnsentMessages(transaction, { key: { in: keys } });
}

/** Returns the subjects of an account's messages of an event (see `NewMessage.about`). */
export async function listMessageSubjectKeys(
  transaction: Transaction,
  userId: number,
  event: MailEvent,
): Promise<string[]> {
  const rows = await transaction.message.findMany({ where: { userId, event }, select: { key: true } });
  return rows.map(({ key }) => parseMessageKey(key).subjectKey);
}

/** Drops the unsent messages of an event to an account. */
export async function dropUnsentMessagesForEvent(
  transaction: Transaction,
  userId: number,
  event: MailEvent,
): Promise<void> {
  await dropUnsentMessages(transaction, { userId, event });
}

/**
 * Drops the unsent messages to an account that is now closed. Keeps those about cancellations, payments or security.
 */
export async function dropMailObsoleteAfterClosing(transaction: Transaction, userId: number): Promise<void> {
  await dropUnsentMessages(transaction, { userId, event: { in: EVENTS_OF_OPEN_ACCOUNT } });
}

/**
 * Drops unsent messages. Those that the mail server permanently refused keep their state, but expire, so that they are
 * not sent to a later address either (`redirectUndeliveredMail`).
 */
async function dropUnsentMessages(transaction: Transaction, messageCondition: object): Promise<void> {
  await transaction.message.updateMany({
    where: { ...messageCondition, state: "pending" },
    data: { state: "dropped" },
  });
  await transaction.message.updateMany({ where: { ...messageCondition, state: "failed" }, data: { expiresAt: now() } });
}
