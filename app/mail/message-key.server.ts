import { createHash } from "node:crypto";
import { env } from "../env.server.ts";
import type { MailEvent } from "./events.ts";

const EVENT_SEPARATOR = ": ";
const RECIPIENT_SEPARATOR = ", for ";

/** What of a recipient its messages' keys name. */
type KeyedRecipient = { userId: number | null; address: string; causedBy?: number | null; isUrgent?: boolean };

/** Under which a message is stored: its event, what it is about and for whom. */
export function messageKey(event: MailEvent, about: string, recipient: KeyedRecipient): string {
  const { userId, address } = recipient;
  const suffix = userId === null ? messageKeySuffix(address) : `${RECIPIENT_SEPARATOR}${userId}`;
  return `${messageKeyPrefix(event, recipient)}${about}${suffix}`;
}

/** The parts of a message's key; `recipientId` is the account's id, or a hash of an address without one. */
export function parseMessageKey(key: string): { about: string; recipientId: string } {
  const end = key.lastIndexOf(RECIPIENT_SEPARATOR);
  const about = key.slice(key.indexOf(EVENT_SEPARATOR) + EVENT_SEPARATOR.length, end);
  return { about, recipientId: key.slice(end + RECIPIENT_SEPARATOR.length) };
}

/** How the keys of messages of an event begin; those to the consultant name who brought them about. */
export function messageKeyPrefix(
  event: MailEvent,
  { causedBy, isUrgent }: Pick<KeyedRecipient, "causedBy" | "isUrgent">,
): string {
  if (causedBy === undefined) return `${event}${EVENT_SEPARATOR}`;
  const urgent = isUrgent ? "urgent " : "";
  return `${event}${EVENT_SEPARATOR}${urgent}${causedBy === null ? "visitor" : `family ${causedBy}`}, `;
}

/** The condition on messages of an event about something, to whatever account. */
export function messagesBySubjectCondition(event: MailEvent, about: string) {
  return { event, key: { startsWith: `${messageKeyPrefix(event, {})}${about}${RECIPIENT_SEPARATOR}` } };
}

/** Of a SHA-256 in base64url. */
export const ADDRESS_HASH_LENGTH = 43;

/** How the keys of messages to an address without an account end. */
function messageKeySuffix(email: string): string {
  return `${RECIPIENT_SEPARATOR}${createHash("sha256").update(email).digest("base64url")}`;
}

/** The condition on messages to an address as to somebody without an account: stored addresses are encrypted. */
export function sentWithoutAccountTo(email: string) {
  return { userId: null, key: { endsWith: messageKeySuffix(email) } };
}

/**
 * The Message-ID of a message, without angle brackets: the same forever, so that mail servers know a repeated one. Older
 * messages have no name of their own, only their key.
 */
export function messageIdOf({ key, name }: { key: string; name: string | null }): string {
  const local = name ?? createHash("sha256").update(key).digest("base64url");
  return `${local}@${new URL(env.origin).hostname}`;
}
