import { randomUUID } from "node:crypto";
import { now } from "../clock.ts";
import { db, type Transaction } from "../db/client.server.ts";
import { DAY_MS } from "../duration.ts";
import { env } from "../env.server.ts";
import type { MessageContent } from "./message-content.ts";
import { type MailEvent, SECURITY_EVENTS, topicOf } from "./events.ts";
import { retryBeforeNewer } from "./delivery-order.server.ts";
import { messageKeyPrefix, messageKey, sentWithoutAccountTo } from "./message-key.server.ts";
import { attemptInProgressCondition } from "./retry.server.ts";
import { consumeUnconfirmedMailLimits } from "./unconfirmed-mail-limits.server.ts";
import { toStoredContent } from "./wording.server.ts";

/**
 * Who gets a message. `userId` is null for somebody without an account. With `isFamily`, mails per day are limited
 * (`MAX_MAILS_A_DAY`), because the family triggers them. With `causedBy`, the family that triggered the message (null:
 * somebody without an account), mails to the consultant are limited per event and day. With `isUnconfirmedAddress`, nobody
 * has confirmed that the address is the recipient's, so mails triggered by visitors' requests are limited
 * (unconfirmed-mail-limits.server.ts).
 */
export type Recipient = {
  userId: number | null;
  address: string;
  isFamily?: boolean;
  isConfirmed?: boolean;
  isUnconfirmedAddress?: boolean;
  causedBy?: number | null;
  /** The consultant's mail about something urgent is counted apart from that of the rest, so that those can't silence it. */
  isUrgent?: boolean;
};

/** To one family within 24 hours; an address that is not confirmed may be a stranger's. Source: docs/product.md, Mail. */
const MAX_MAILS_A_DAY = { confirmed: 60, unconfirmed: 12 };

/**
 * To a confirmed address about the account's security: counted alone, so that other mail can't silence it. What was
 * changed in the account is counted apart from that, because somebody who is signed in could bring about so many of them.
 */
const MAX_SECURITY_MAILS_A_DAY = 20;

/** To the consultant within 24 hours, about one event of one family. Source: docs/product.md, Limits. */
const MAX_CONSULTANT_MAILS_A_DAY = 12;

/** The same about one event of everybody without an account. */
const MAX_CONSULTANT_MAILS_ABOUT_VISITORS: Partial<Record<MailEvent, number>> = {
  "new-request": 24,
  "new-legal-request": 5,
};

/**
 * The recipient of a message that is written only to take the time of one: it is deleted when it is due. Its address is
 * not the one that a visitor typed.
 */
export const DECOY_RECIPIENT: Recipient = { userId: null, address: "nobody@mail.invalid" };

export type NewMessage = {
  event: MailEvent;
  /** What it is about, such as "appointment 12, 0": with event and recipient it names the message forever. */
  about: string;
  content: MessageContent;
  /** The path of a link with a token. It is in the mail only, and deleted once that is sent. */
  secretPath?: string;
  /** An iCalendar file to attach. */
  calendar?: string;
  appointmentId?: number;
  /** When it is mailed at the earliest (UTC); without it, at once. */
  dueAt?: Date;
  /** After this instant (UTC) the message is obsolete and no longer mailed. */
  expiresAt?: Date;
  /** Triggered by the practice or by a schedule: exempt from the limits on mail that families and visitors trigger. */
  isByPractice?: boolean;
};

/**
 * Writes a message in the transaction of what it tells about; the delivery job mails it (delivery.server.ts). The same
 * event for the same recipient makes one message, however often it is enqueued. Nothing is mailed of a topic that the
 * person has turned off; the message stands in the portal all the same. Returns whether it is to be mailed.
 */
export async function enqueueMessage(
  transaction: Transaction,
  recipient: Recipient,
  message: NewMessage,
): Promise<boolean> {
  const { userId, address } = recipient;
  const { event, about, content, secretPath, calendar, appointmentId, dueAt, expiresAt, isByPractice } = message;
  const key = messageKey(event, about, recipient);
  const topic = topicOf(event);
  const isOptedOut =
    topic !== null &&
    userId !== null &&
    (await transaction.mailOptOut.findUnique({ where: { userId_topic: { userId, topic } } })) !== null;
  const isWithinLimits = async () =>
    !(await hasEnoughMail(transaction, recipient, event)) &&
    (!recipient.isUnconfirmedAddress ||
      (await isWithinUnconfirmedMailLimits(transaction, { key, email: address, event })));
  const isMailed = !isOptedOut && (isByPractice === true || (await isWithinLimits()));
  await transaction.message.upsert({
    where: { key },
    // Changes nothing. Without a column Prisma reads first and then inserts, and fails beside another transaction.
    update: { key },
    create: {
      key,
      name: randomUUID(),
      event,
      userId,
      address,
      content: JSON.stringify(await toStoredContent(transaction, content)),
      secretPath: secretPath ?? null,
      calendar: calendar ?? null,
      appointmentId: appointmentId ?? null,
      state: isMailed ? "pending" : "not-mailed",
      nextAttemptAt: dueAt ?? now(),
      expiresAt: expiresAt ?? null,
      createdAt: now(),
    },
    select: { id: true },
  });
  if (appointmentId !== undefined && userId !== null)
    await retryBeforeNewer(transaction, { userId, appointmentId }, expiresAt ?? null);
  return isMailed;
}

/** The condition on all messages to an account, and on those to `emails` as to somebody without one, `until` then (UTC). */
export function messagesToCondition(userId: number, emails: readonly { email: string; until: Date | null }[]) {
  const toEmails = emails.map(({ email, until }) => ({
    ...sentWithoutAccountTo(email),
    ...(until ? { createdAt: { lte: until } } : {}),
  }));
  return { OR: [{ userId }, ...toEmails] };
}

/**
 * Whether a family was mailed so much within a day, or the consultant of one event of a family or of visitors, that
 * further messages stand in the portal only.
 */
async function hasEnoughMail(transaction: Transaction, recipient: Recipient, event: MailEvent): Promise<boolean> {
  const { userId, isFamily, isConfirmed, causedBy } = recipient;
  const isToConsultant = causedBy !== undefined;
  if (!env.rateLimits || !(isFamily || isToConsultant)) return false;
  const createdAt = { gt: new Date(now().getTime() - DAY_MS) };
  const { counted, max } = isToConsultant
    ? {
        counted: { event, key: { startsWith: messageKeyPrefix(event, recipient) } },
        max: (causedBy === null && MAX_CONSULTANT_MAILS_ABOUT_VISITORS[event]) || MAX_CONSULTANT_MAILS_A_DAY,
      }
    : mailsCountedWith(event, isConfirmed === true);
  const where = { userId, createdAt, state: { not: "not-mailed" }, ...counted };
  return (await transaction.message.count({ where })) >= max;
}

/** Which of a family's mails count together with one of this event, and how many of them a day it gets. */
function mailsCountedWith(event: MailEvent, isConfirmed: boolean) {
  // Anybody asks for password links: they have limits of their own, and use up nothing of the rest.
  const counted = event === "password-reset" ? { event } : { event: { not: "password-reset" } };
  if (!isConfirmed) return { counted, max: MAX_MAILS_A_DAY.unconfirmed };
  const countedApart = [["account-changed"], [...SECURITY_EVENTS]].find((events) => events.includes(event));
  return countedApart
    ? { counted: { event: { in: countedApart } }, max: MAX_SECURITY_MAILS_A_DAY }
    : {
        counted: { event: { notIn: ["account-changed", ...SECURITY_EVENTS] } },
        max: MAX_MAILS_A_DAY.confirmed,
      };
}

/** Counts a mail to an unconfirmed address; not once more what was enqueued before. */
async function isWithinUnconfirmedMailLimits(
  transaction: Transaction,
  { key, email, event }: { key: string; email: string; event: MailEvent },
): Promise<boolean> {
  const existing = await transaction.message.findUnique({ where: { key }, select: { id: true } });
  return existing !== null || consumeUnconfirmedMailLimits(email, event);
}

/**
 * When the latest message of this event about each of `visits` was written (UTC), by the id of the visit; without those that
 * were dropped, but for one that is just being sent.
 */
export async function latestMessageTimes(
  event: MailEvent,
  visits: readonly { id: number }[],
  reader: Pick<Transaction, "message"> = db,
): Promise<Map<number, Date>> {
  const rows = await reader.message.findMany({
    where: {
      event,
      appointmentId: { in: visits.map(({ id }) => id) },
      OR: [{ state: { not: "dropped" } }, attemptInProgressCondition()],
    },
    orderBy: { createdAt: "asc" },
    select: { appointmentId: true, createdAt: true },
  });
  return new Map(rows.map(({ appointmentId, createdAt }) => [appointmentId ?? 0, createdAt]));
}

/** Deletes links with tokens that a person should not find anymore, such as those of a password that was changed. */
export async function revokeMailedLinks(transaction: Transaction, userId: number, event: MailEvent): Promise<void> {
  const where = { userId, event };
  await transaction.message.updateMany({ where: { ...where, state: "pending" }, data: { state: "dropped" } });
  await transaction.message.updateMany({ where, data: { secretPath: null } });
}

/** The same for messages with links to an address that has no account, which are not sent yet. */
export async function dropMailTo(transaction: Transaction, email: string, event: MailEvent): Promise<void> {
  await transaction.message.updateMany({
    where: { ...sentWithoutAccountTo(email), event, state: "pending" },
    data: { state: "dropped", secretPath: null },
  });
}

const RETENTION_MS = 180 * DAY_MS;

/** Deletes messages after 180 days, and links with tokens once they have expired. */
export async function deleteOldMessagesAndLinks(): Promise<void> {
  await db.message.deleteMany({ where: { createdAt: { lt: new Date(now().getTime() - RETENTION_MS) } } });
  await db.message.updateMany({
    where: { secretPath: { not: null }, expiresAt: { lte: now() } },
    data: { secretPath: null },
  });
}
