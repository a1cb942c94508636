import { type Sql, sqltag as sql } from "@prisma/client/runtime/client";
import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { isUnreadable } from "../db/text-encryption.server.ts";
import { env } from "../env.server.ts";
import { countPages, PAGE_SIZE } from "../http/list-query.ts";
import { greetingOf, type MessageContent } from "./message-content.ts";
import { CALENDAR_FILE_SENTENCES, CONFIRM_ADDRESS_SENTENCE } from "./mail-only-sentences.ts";
import { sentWithoutAccountTo } from "./message-key.server.ts";
import { renderHtml, renderText } from "./render.ts";
import { CALENDAR_FILE_NAME, mailMode } from "./transport.server.ts";

/** The facts of a message that name the time of its visit. */
const VISIT_TIME_LABELS = ["When", "It was on"];

/** Sentences of a mail that are not true of the message in the portal. */
const MAIL_ONLY_SENTENCES: readonly string[] = [
  ...Object.values(CALENDAR_FILE_SENTENCES),
  ...(mailMode === "none" ? [CONFIRM_ADDRESS_SENTENCE] : []),
];

const COLUMNS = { id: true, event: true, content: true, state: true, createdAt: true } as const;
const FAMILY = { user: { select: { id: true, isAdmin: true } } } as const;
/** A password link without an account goes to nobody (see `NOBODY`). */
const NOT_DROPPED = { state: { not: "dropped" }, NOT: { event: "password-reset", userId: null } };

/** The SQL that counts the messages in an account's list that it has not opened. */
export const countUnread = (userId: number): Sql =>
  sql`SELECT CAST(count(*) AS INTEGER) FROM "messages" WHERE "userId" = ${userId} AND "readAt" IS NULL AND "state" <> 'dropped'`;

/** Records that an account opened one of its own messages; does nothing for another's, or where it is recorded already. */
export async function markRead(userId: number, id: number): Promise<void> {
  await db.message.updateMany({ where: { id, userId, readAt: null }, data: { readAt: now() } });
}

/**
 * A page of an account's messages, newest first; instants ISO 8601 UTC. Links with tokens are in the mail only. With them
 * stands what was mailed to its confirmed address as to somebody without an account, such as its invitation: whoever has
 * the mailbox has read that, so it is never new, and what it offers without an account is left out.
 */
export async function listMessages(userId: number, confirmedEmail: string | null, page: number) {
  const toAddress = confirmedEmail === null ? [] : [{ ...sentWithoutAccountTo(confirmedEmail), state: "sent" }];
  const rows = await db.message.findMany({
    where: { OR: [{ userId }, ...toAddress], ...NOT_DROPPED },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip: (page - 1) * PAGE_SIZE,
    // One more, to know of a next page without counting.
    take: PAGE_SIZE + 1,
    select: { ...COLUMNS, userId: true, readAt: true },
  });
  const messages = rows.slice(0, PAGE_SIZE).map(({ id, userId: ownerId, content, createdAt, readAt }) => {
    const { subject, paragraphs, facts = [], action, moreLink = null, closing = [], ...rest } = parseContent(content);
    const isSecret = action?.path === null;
    const link = action?.path && ownerId !== null ? { label: action.label, path: action.path } : null;
    const greeting = greetingOf({ subject, paragraphs, ...rest });
    const visitTime = facts.find(({ label }) => VISIT_TIME_LABELS.includes(label))?.value ?? null;
    return {
      id,
      isRead: readAt !== null || ownerId === null,
      visitTime,
      subject,
      greeting,
      paragraphs: inPortal(paragraphs),
      facts,
      link,
      moreLink,
      isSecret,
      closing: inPortal(closing),
      at: createdAt.toISOString(),
    };
  });
  return { messages, pageCount: rows.length > PAGE_SIZE ? page + 1 : page };
}

function inPortal(texts: readonly string[]): string[] {
  return texts.filter((text) => !MAIL_ONLY_SENTENCES.includes(text));
}

/**
 * A page of everything that a local process wrote to its outbox or is about to, newest first, as plain text with the
 * names of its attachments, and the families that it is to. Links with tokens are shown while they work.
 */
export async function listCapturedMail(page: number) {
  const [total, rows] = await Promise.all([
    db.message.count({ where: NOT_DROPPED }),
    db.message.findMany({
      where: NOT_DROPPED,
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      skip: (page - 1) * PAGE_SIZE,
      take: PAGE_SIZE,
      select: { ...COLUMNS, address: true, secretPath: true, calendar: true, ...FAMILY },
    }),
  ]);
  const mails = rows.map(({ id, event, content, address, secretPath, calendar, state, createdAt }) => {
    const parsed = parseContent(content);
    const text = renderText(parsed, outboxOptions(parsed, secretPath));
    const attachments = calendar === null ? [] : [CALENDAR_FILE_NAME];
    return { id, event, to: address, subject: parsed.subject, text, attachments, state, at: createdAt.toISOString() };
  });
  return { mails, familyIds: rows.map(familyIdOf), pageCount: countPages(total) };
}

/** A mail in the outbox of a local process as HTML, and the family that it is to; null where there is none. */
export async function findCapturedMail(id: number): Promise<{ html: string; familyId: number | null } | null> {
  const mail = await db.message.findFirst({
    where: { id, ...NOT_DROPPED },
    select: { content: true, secretPath: true, ...FAMILY },
  });
  if (!mail) return null;
  const parsed = parseContent(mail.content);
  return { html: renderHtml(parsed, outboxOptions(parsed, mail.secretPath)), familyId: familyIdOf(mail) };
}

/** Null for a mail to the consultant, or to somebody without an account. */
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
