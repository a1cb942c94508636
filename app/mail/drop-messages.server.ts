import { now } from "../clock.ts";
import type { Transaction } from "../db/client.server.ts";
import { type MailEvent, REMINDER_EVENTS } from "./events.ts";
import { messageKey, parseMessageKey } from "./message-key.server.ts";

/** What leads to a page that one signs in for, or is told otherwise by what closing the account cancels. */
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
 * Drops the reminders of a visit that are not sent yet: it was moved, canceled or deleted. With `events`, only those: they
 * are followed by a later one.
 */
export async function dropReminders(
  transaction: Transaction,
  appointmentId: number,
  events: readonly (typeof REMINDER_EVENTS)[number][] = REMINDER_EVENTS,
): Promise<void> {
  await dropUnsent(transaction, { appointmentId, event: { in: [...events] } });
}

/** Drops the messages to an account about something that has ended (see `NewMessage.about`), which are not sent yet. */
export async function dropMessagesBySubject(
  transaction: Transaction,
  userId: number,
  event: MailEvent,
  abouts: readonly string[],
): Promise<void> {
  const keys = abouts.map((about) => messageKey(event, about, { userId, address: "" }));
  if (keys.length > 0) await dropUnsent(transaction, { key: { in: keys } });
}

/** What the messages of an event to an account are about (see `NewMessage.about`). */
export async function listMessageSubjects(
  transaction: Transaction,
  userId: number,
  event: MailEvent,
): Promise<string[]> {
  const rows = await transaction.message.findMany({ where: { userId, event }, select: { key: true } });
  return rows.map(({ key }) => parseMessageKey(key).about);
}

/** Drops the messages of an event to an account that are not sent yet. */
export async function dropMessagesOf(transaction: Transaction, userId: number, event: MailEvent): Promise<void> {
  await dropUnsent(transaction, { userId, event });
}

/** Drops what waits for an account that is closed now. What tells it of a cancellation, of money or of security stays. */
export async function dropMailOfClosedAccount(transaction: Transaction, userId: number): Promise<void> {
  await dropUnsent(transaction, { userId, event: { in: EVENTS_OF_OPEN_ACCOUNT } });
}

/** What the mail server refused for good keeps its state, and is not sent to a later address either (`redirectPendingMail`). */
async function dropUnsent(transaction: Transaction, which: object): Promise<void> {
  await transaction.message.updateMany({ where: { ...which, state: "pending" }, data: { state: "dropped" } });
  await transaction.message.updateMany({ where: { ...which, state: "failed" }, data: { expiresAt: now() } });
}
