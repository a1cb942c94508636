import { createHash, randomUUID } from "node:crypto";
import { env } from "../env.server.ts";
import type { MailEvent } from "./mail-events.ts";

const EVENT_SEPARATOR = ": ";
const RECIPIENT_SEPARATOR = ", for ";

/** The properties of a recipient that are part of its messages' keys. */
type KeyedRecipient = {
  userId: number | null;
  address: string;
  triggeringFamilyId?: number | null;
  isUrgent?: boolean;
};

/** Returns the unique key of a message: its event, subject and recipient. */
export function messageKey(event: MailEvent, subjectKey: string, recipient: KeyedRecipient): string {
  const { userId, address } = recipient;
  const suffix = userId === null ? messageKeySuffix(address) : `${RECIPIENT_SEPARATOR}${userId}`;
  return `${messageKeyPrefix(event, recipient)}${subjectKey}${suffix}`;
}

/** Parses a message key. `recipientId` is the account's id, or a hash of the address if there is no account. */
export function parseMessageKey(key: string): { subjectKey: string; recipientId: string } {
  const end = key.lastIndexOf(RECIPIENT_SEPARATOR);
  const subjectKey = key.slice(key.indexOf(EVENT_SEPARATOR) + EVENT_SEPARATOR.length, end);
  return { subjectKey, recipientId: key.slice(end + RECIPIENT_SEPARATOR.length) };
}

/**
 * Returns the beginning of the keys of an event's messages. For messages to the consultant it includes who triggered
 * them.
 */
export function messageKeyPrefix(
  event: MailEvent,
  { triggeringFamilyId, isUrgent }: Pick<KeyedRecipient, "triggeringFamilyId" | "isUrgent">,
): string {
  if (triggeringFamilyId === undefined) return `${event}${EVENT_SEPARATOR}`;
  const urgentPrefix = isUrgent ? "urgent " : "";
  return `${event}${EVENT_SEPARATOR}${urgentPrefix}${triggeringFamilyId === null ? "visitor" : `family ${triggeringFamilyId}`}, `;
}

/** Prisma filters for the messages of all events to the consultant that a family triggered. */
export function triggeredMessagesCondition(familyId: number) {
  return ["", "urgent "].map((urgentPrefix) => ({
    key: { contains: `${EVENT_SEPARATOR}${urgentPrefix}family ${familyId}, ` },
  }));
}

/** Prisma filter for messages of an event about a subject, to any account. */
export function messagesBySubjectCondition(event: MailEvent, subjectKey: string) {
  return { event, key: { startsWith: `${messageKeyPrefix(event, {})}${subjectKey}${RECIPIENT_SEPARATOR}` } };
}

/** Length of a SHA-256 hash in base64url. */
export const ADDRESS_HASH_LENGTH = 43;

/** Returns the end of the keys of messages to an address without an account. */
function messageKeySuffix(email: string): string {
  return `${RECIPIENT_SEPARATOR}${createHash("sha256").update(email).digest("base64url")}`;
}

/**
 * Prisma filter for messages that were sent to an address without an account. It uses the key because stored addresses
 * are encrypted.
 */
export function visitorMessageCondition(email: string) {
  return { userId: null, key: { endsWith: messageKeySuffix(email) } };
}

/** Returns the `name` of a new message: its Message-ID, so that another address of the site does not change it. */
export function generateEmailMessageId(): string {
  return `${randomUUID()}@${new URL(env.origin).hostname}`;
}

/**
 * Returns the Message-ID of a message, without angle brackets. It never changes, so that mail servers recognize a
 * repeated message. The `name` of older messages is only its left side; the oldest have none, so their key is hashed.
 */
export function emailMessageIdOf({ key, name }: { key: string; name: string | null }): string {
  if (name?.includes("@")) return name;
  const localPart = name ?? createHash("sha256").update(key).digest("base64url");
  return `${localPart}@${new URL(env.origin).hostname}`;
}
