import { now } from "../clock.ts";
import { db, type Transaction } from "../db/database-client.server.ts";
import { DAY_MS } from "../time-units.ts";
import { env } from "../env.server.ts";
import type { MessageContent } from "./message-content.ts";
import { type MailEvent, SECURITY_EVENTS, mailTopicOfEvent } from "./mail-events.ts";
import { rescheduleEarlierVisitMessages } from "./delivery-order.server.ts";
import { messageKeyPrefix, messageKey, generateEmailMessageId, visitorMessageCondition } from "./message-key.server.ts";
import { attemptInProgressCondition } from "./delivery-retry.server.ts";
import { consumeUnconfirmedMailLimits } from "./unconfirmed-mail-limits.server.ts";
import { applyEditedWording } from "./wording.server.ts";

/**
 * Recipient of a message. `userId` is null for a person without an account. With `isFamily`, messages per day are
 * limited (`MAX_DAILY_MAILS`), because the family triggers them. With `triggeringFamilyId` (null: a person without an
 * account), messages to the consultant are limited per event and day. With `isUnconfirmedAddress`, nobody has confirmed
 * that the address is the recipient's, so messages triggered by visitors' requests are limited
 * (unconfirmed-mail-limits.server.ts).
 */
export type Recipient = {
  userId: number | null;
  address: string;
  isFamily?: boolean;
  isConfirmed?: boolean;
  isUnconfirmedAddress?: boolean;
  triggeringFamilyId?: number | null;
  /** Urgent messages to the consultant are counted separately, so that others can't use up their limit. */
  isUrgent?: boolean;
};

/**
 * Maximum for one family within 24 hours. An address that is not confirmed may belong to another person. Source:
 * docs/product.md, Mail.
 */
const MAX_DAILY_MAILS = { confirmed: 60, unconfirmed: 12 };

/**
 * Maximum within 24 hours to a confirmed address about the account's security. Counted separately, so that other
 * messages can't use up this limit. Messages about changes in the account (`account-changed`) have the same maximum but
 * their own count, because a signed-in person could trigger many of them.
 */
const MAX_DAILY_SECURITY_MAILS = 20;

/** Maximum to the consultant within 24 hours about one event of one family. Source: docs/product.md, Limits. */
const MAX_DAILY_CONSULTANT_MAILS = 12;

/** Maximum to the consultant within 24 hours about one event of all people without an account. */
const MAX_CONSULTANT_MAILS_ABOUT_VISITORS: Partial<Record<MailEvent, number>> = {
  "new-request": 24,
  "new-legal-request": 5,
};

/**
 * Recipient of a message that is only stored so that a request takes as long as one with a real recipient. The message
 * is deleted when it is due. The address is not the one that a visitor entered.
 */
export const DECOY_RECIPIENT: Recipient = { userId: null, address: "nobody@mail.invalid" };

export type NewMessage = {
  event: MailEvent;
  /**
   * What the message is about, such as "appointment 12, 0". With event and recipient it identifies the message
   * permanently.
   */
  subjectKey: string;
  content: MessageContent;
  /** The path of a link with a token. It is only in the email and is deleted after the email is sent. */
  secretPath?: string;
  /** An iCalendar file to attach. */
  calendar?: string;
  appointmentId?: number;
  /** Earliest time to send it (UTC). Without it, the message is sent immediately. */
  dueAt?: Date;
  /** After this instant (UTC) the message is obsolete and is no longer sent. */
  expiresAt?: Date;
  /** Triggered by the practice or by a schedule: exempt from the limits on mail that families and visitors trigger. */
  isExemptFromLimits?: boolean;
};

/**
 * Stores a message in the transaction of the change that it is about; the delivery job sends it (mail-delivery.server.ts).
 * The same event, subject and recipient create only one message, however often it is enqueued. A message of a topic
 * that the person has turned off is not sent, but is still in the portal. Returns whether the message is to be sent.
 */
export async function enqueueMessage(
  transaction: Transaction,
  recipient: Recipient,
  message: NewMessage,
): Promise<boolean> {
  const { userId, address } = recipient;
  const { event, subjectKey, content, secretPath, calendar, appointmentId, dueAt, expiresAt, isExemptFromLimits } =
    message;
  const key = messageKey(event, subjectKey, recipient);
  const topic = mailTopicOfEvent(event);
  const isOptedOut =
    topic !== null &&
    userId !== null &&
    (await transaction.mailOptOut.findUnique({ where: { userId_topic: { userId, topic } } })) !== null;
  const isWithinLimits = async () =>
    !(await isMailLimitReached(transaction, recipient, event)) &&
    (!recipient.isUnconfirmedAddress ||
      (await consumeLimitsUnlessEnqueued(transaction, { key, email: address, event })));
  const shouldMail = !isOptedOut && (isExemptFromLimits === true || (await isWithinLimits()));
  await transaction.message.upsert({
    where: { key },
    // Changes nothing. Without a column, Prisma reads first and then inserts, which fails when another transaction
    // inserts the same row.
    update: { key },
    create: {
      key,
      name: generateEmailMessageId(),
      event,
      userId,
      address,
      content: JSON.stringify(await applyEditedWording(transaction, content)),
      secretPath: secretPath ?? null,
      calendar: calendar ?? null,
      appointmentId: appointmentId ?? null,
      state: shouldMail ? "pending" : "not-mailed",
      nextAttemptAt: dueAt ?? now(),
      expiresAt: expiresAt ?? null,
      createdAt: now(),
    },
    select: { id: true },
  });
  if (appointmentId !== undefined && userId !== null)
    await rescheduleEarlierVisitMessages(transaction, { userId, appointmentId }, expiresAt ?? null);
  return shouldMail;
}

/**
 * Prisma filter for all messages to an account, and for those sent to `emails` as to people without an account, up to
 * `until` (UTC) if given.
 */
export function messagesToAccountCondition(userId: number, emails: readonly { email: string; until: Date | null }[]) {
  const visitorConditions = emails.map(({ email, until }) => ({
    ...visitorMessageCondition(email),
    ...(until ? { createdAt: { lte: until } } : {}),
  }));
  return { OR: [{ userId }, ...visitorConditions] };
}

/**
 * Returns whether the limit for 24 hours is reached: of messages to a family, or of messages to the consultant about
 * one event of a family or of visitors. Further messages are then only in the portal.
 */
async function isMailLimitReached(transaction: Transaction, recipient: Recipient, event: MailEvent): Promise<boolean> {
  const { userId, isFamily, isConfirmed, triggeringFamilyId } = recipient;
  const isToConsultant = triggeringFamilyId !== undefined;
  if (!env.isRateLimitingEnabled || !(isFamily || isToConsultant)) return false;
  const createdAt = { gt: new Date(now().getTime() - DAY_MS) };
  const { counted, max } = isToConsultant
    ? {
        counted: { event, key: { startsWith: messageKeyPrefix(event, recipient) } },
        max: (triggeringFamilyId === null && MAX_CONSULTANT_MAILS_ABOUT_VISITORS[event]) || MAX_DAILY_CONSULTANT_MAILS,
      }
    : familyMailLimit(event, isConfirmed === true);
  const where = { userId, createdAt, state: { not: "not-mailed" }, ...counted };
  return (await transaction.message.count({ where })) >= max;
}

/** Returns which of a family's messages are counted together with one of this event, and their maximum per day. */
function familyMailLimit(event: MailEvent, isConfirmed: boolean) {
  // Anyone can request password links, so these have their own limit and don't count toward the others.
  const countedCondition = event === "password-reset" ? { event } : { event: { not: "password-reset" } };
  if (!isConfirmed) return { counted: countedCondition, max: MAX_DAILY_MAILS.unconfirmed };
  const separatelyCountedEvents = [["account-changed"], [...SECURITY_EVENTS]].find((events) => events.includes(event));
  return separatelyCountedEvents
    ? { counted: { event: { in: separatelyCountedEvents } }, max: MAX_DAILY_SECURITY_MAILS }
    : {
        counted: { event: { notIn: ["account-changed", ...SECURITY_EVENTS] } },
        max: MAX_DAILY_MAILS.confirmed,
      };
}

/**
 * Counts a message to an unconfirmed address, except one that was already enqueued. Returns whether it is within the
 * limits.
 */
async function consumeLimitsUnlessEnqueued(
  transaction: Transaction,
  { key, email, event }: { key: string; email: string; event: MailEvent },
): Promise<boolean> {
  const existing = await transaction.message.findUnique({ where: { key }, select: { id: true } });
  return existing !== null || consumeUnconfirmedMailLimits(email, event);
}

/**
 * Returns when the latest message of this event about each of `visits` was created (UTC), by visit id. Ignores dropped
 * messages, except one that is still being sent.
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

/**
 * Drops the unsent messages of an event and deletes links with tokens that must no longer be found, such as password
 * links after the password was changed.
 */
export async function revokeMailedLinks(transaction: Transaction, userId: number, event: MailEvent): Promise<void> {
  const where = { userId, event };
  await transaction.message.updateMany({ where: { ...where, state: "pending" }, data: { state: "dropped" } });
  await transaction.message.updateMany({ where, data: { secretPath: null } });
}

/** Drops the unsent messages of an event to an address without an account, and deletes their links. */
export async function dropMailToAddress(transaction: Transaction, email: string, event: MailEvent): Promise<void> {
  await transaction.message.updateMany({
    where: { ...visitorMessageCondition(email), event, state: "pending" },
    data: { state: "dropped", secretPath: null },
  });
}

const MESSAGE_RETENTION_MS = 180 * DAY_MS;

/** Deletes messages after 180 days, and links with tokens once they have expired. */
export async function deleteOldMessagesAndLinks(): Promise<void> {
  await db.message.deleteMany({ where: { createdAt: { lt: new Date(now().getTime() - MESSAGE_RETENTION_MS) } } });
  await db.message.updateMany({
    where: { secretPath: { not: null }, expiresAt: { lte: now() } },
    data: { secretPath: null },
  });
}
