import { type Sql, sqltag as sql } from "@prisma/client/runtime/client";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { isUnreadable } from "../db/text-encryption.server.ts";
import { env } from "../env.server.ts";
import { countPages, PAGE_SIZE } from "../http/list-query.ts";
import { greetingOf, type MessageContent } from "./message-content.ts";
import { CALENDAR_FILE_SENTENCES, CONFIRM_ADDRESS_SENTENCE } from "./mail-only-sentences.ts";
import { visitorMessageCondition } from "./message-key.server.ts";
import { renderMessageHtml, renderMessageText } from "./render-message.ts";
import { CALENDAR_FILE_NAME, mailMode } from "./mail-transport.server.ts";

/** Labels of the facts that contain the time of a message's visit. */
const VISIT_TIME_LABELS = ["When", "It was on"];

/** Sentences of an email that are not correct in the portal. */
const MAIL_ONLY_SENTENCES: readonly string[] = [
  ...Object.values(CALENDAR_FILE_SENTENCES),
  ...(mailMode === "none" ? [CONFIRM_ADDRESS_SENTENCE] : []),
];

const MESSAGE_SELECT = { id: true, event: true, content: true, state: true, createdAt: true } as const;
const FAMILY_SELECT = { user: { select: { id: true, isAdmin: true } } } as const;
/**
 * Leaves out dropped messages, and password links without an account, which are not sent to anyone (see
 * `DECOY_RECIPIENT`).
 */
const NOT_DROPPED_CONDITION = { state: { not: "dropped" }, NOT: { event: "password-reset", userId: null } };

/** SQL query that counts the unread messages in an account's list. */
export const unreadCountSql = (userId: number): Sql =>
  sql`SELECT CAST(count(*) AS INTEGER) FROM "messages" WHERE "userId" = ${userId} AND "readAt" IS NULL AND "state" <> 'dropped'`;

/**
 * Records that an account opened one of its own messages. Does nothing for another account's message or one that is
 * already marked as read.
 */
export async function markMessageRead(userId: number, id: number): Promise<void> {
  await db.message.updateMany({ where: { id, userId, readAt: null }, data: { readAt: now() } });
}

/**
 * Returns a page of an account's messages, newest first; times are ISO 8601 in UTC. Links with tokens are only in the
 * email. Includes the messages that were emailed to the account's confirmed address as to a person without an account,
 * such as its invitation. The owner of the mailbox could already read these, so they are never unread. Their links,
 * which are for people without an account, are left out.
 */
export async function listMessages(userId: number, confirmedEmail: string | null, page: number) {
  const mailboxConditions =
    confirmedEmail === null ? [] : [{ ...visitorMessageCondition(confirmedEmail), state: "sent" }];
  const rows = await db.message.findMany({
    where: { OR: [{ userId }, ...mailboxConditions], ...NOT_DROPPED_CONDITION },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip: (page - 1) * PAGE_SIZE,
    // Reads one more row, to know whether there is a next page without counting.
    take: PAGE_SIZE + 1,
    select: { ...MESSAGE_SELECT, userId: true, readAt: true },
  });
  const messages = rows.slice(0, PAGE_SIZE).map(({ id, userId: ownerId, content, createdAt, readAt }) => {
    const { subject, paragraphs, facts = [], action, moreLink = null, closing = [], ...rest } = parseContent(content);
    const hasSecretLink = action?.path === null;
    const link = action?.path && ownerId !== null ? { label: action.label, path: action.path } : null;
    const greeting = greetingOf({ subject, paragraphs, ...rest });
    const visitTime = facts.find(({ label }) => VISIT_TIME_LABELS.includes(label))?.value ?? null;
    return {
      id,
      isRead: readAt !== null || ownerId === null,
      visitTime,
      subject,
      greeting,
      paragraphs: removeMailOnlySentences(paragraphs),
      facts,
      link,
      moreLink,
      hasSecretLink,
      closing: removeMailOnlySentences(closing),
      createdAt: createdAt.toISOString(),
    };
  });
  return { messages, pageCount: rows.length > PAGE_SIZE ? page + 1 : page };
}

function removeMailOnlySentences(texts: readonly string[]): string[] {
  return texts.filter((text) => !MAIL_ONLY_SENTENCES.includes(text));
}

/**
 * Returns a page of all messages that a local process has written to its outbox or is about to write, newest first, as
 * plain text with the names of their attachments. Also returns the id of each recipient's family. Links with tokens are
 * shown until they expire.
 */
export async function listOutboxMessages(page: number) {
  const [total, rows] = await Promise.all([
    db.message.count({ where: NOT_DROPPED_CONDITION }),
    db.message.findMany({
      where: NOT_DROPPED_CONDITION,
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      skip: (page - 1) * PAGE_SIZE,
      take: PAGE_SIZE,
      select: { ...MESSAGE_SELECT, address: true, secretPath: true, calendar: true, ...FAMILY_SELECT },
    }),
  ]);
  const mails = rows.map(({ id, event, content, address, secretPath, calendar, state, createdAt }) => {
    const parsed = parseContent(content);
    const text = renderMessageText(parsed, outboxOptions(parsed, secretPath));
    const attachments = calendar === null ? [] : [CALENDAR_FILE_NAME];
    return {
      id,
      event,
      to: address,
      subject: parsed.subject,
      text,
      attachments,
      state,
      createdAt: createdAt.toISOString(),
    };
  });
  return { mails, familyIds: rows.map(familyIdOf), pageCount: countPages(total) };
}

/**
 * Returns a message in the outbox of a local process as HTML, with the id of the recipient's family. Returns null if
 * there is no such message.
 */
export async function renderOutboxMessage(id: number): Promise<{ html: string; familyId: number | null } | null> {
  const mail = await db.message.findFirst({
    where: { id, ...NOT_DROPPED_CONDITION },
    select: { content: true, secretPath: true, ...FAMILY_SELECT },
  });
  if (!mail) return null;
  const parsed = parseContent(mail.content);
  return { html: renderMessageHtml(parsed, outboxOptions(parsed, mail.secretPath)), familyId: familyIdOf(mail) };
}

/** Returns the id of the family that a message is to, or null for the consultant and people without an account. */
function familyIdOf({ user }: { user: { id: number; isAdmin: boolean } | null }): number | null {
  return user && !user.isAdmin ? user.id : null;
}

function outboxOptions({ action }: MessageContent, secretPath: string | null) {
  const path = action?.path ?? secretPath;
  return { practice: env.practice, origin: env.origin, actionUrl: path && env.origin + path, unsubscribe: null };
}

function parseContent(content: string): MessageContent {
  if (!isUnreadable(content)) return JSON.parse(content) as MessageContent;
  const { unreadable } = JSON.parse(content) as { unreadable: string };
  return { subject: "Message", preview: "", paragraphs: [unreadable] };
}
