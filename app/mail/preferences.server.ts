import { timingSafeEqual } from "node:crypto";
import { now } from "../clock.ts";
import { db, type Transaction } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import { keyedHash } from "../http/network-hash.server.ts";
import { mailEventsOfTopic, isMailTopic, type MailTopic } from "./mail-events.ts";

/**
 * Returns the path of the page that turns a topic off without signing in and links to the pages for the person's other
 * topics. The link allows nothing else, so it needs no database row and no expiry.
 */
export function unsubscribePath(userId: number, topic: MailTopic): string {
  return `/unsubscribe/${userId}.${topic}.${signUnsubscribeToken(userId, topic)}`;
}

/**
 * Parses an unsubscribe link's token into the person and topic. Returns null if the token was not signed by this site.
 */
export function parseUnsubscribeToken(token: string): { userId: number; topic: MailTopic } | null {
  const [, id = "", topic = "", signature = ""] = /^(\d{1,10})\.([a-z-]{1,20})\.([\w-]{43})$/.exec(token) ?? [];
  if (!isMailTopic(topic)) return null;
  const userId = Number(id);
  const hasValidSignature = env.sessionSecrets.some((secret) =>
    timingSafeEqual(Buffer.from(signUnsubscribeToken(userId, topic, secret)), Buffer.from(signature)),
  );
  return hasValidSignature ? { userId, topic } : null;
}

/**
 * Turns a topic off or on for an account. The caller must have locked its row. Pending messages of a topic that is
 * turned off are no longer sent, but are still in the portal. Returns false when nothing changed.
 */
export async function setMailTopicSubscription(
  transaction: Transaction,
  userId: number,
  topic: MailTopic,
  isSubscribed: boolean,
): Promise<boolean> {
  const isOptedOut = (await transaction.mailOptOut.count({ where: { userId, topic } })) > 0;
  if (isOptedOut !== isSubscribed) return false;
  if (isSubscribed) {
    await transaction.mailOptOut.deleteMany({ where: { userId, topic } });
    return true;
  }
  await transaction.mailOptOut.create({ data: { userId, topic, createdAt: now() } });
  const pendingCondition = { userId, event: { in: mailEventsOfTopic(topic) }, state: "pending" };
  await transaction.message.updateMany({ where: pendingCondition, data: { state: "not-mailed" } });
  return true;
}

/** Returns the topics that a person has turned off. */
export async function listOptOuts(userId: number, reader: Pick<Transaction, "mailOptOut"> = db): Promise<string[]> {
  const rows = await reader.mailOptOut.findMany({ where: { userId }, select: { topic: true } });
  return rows.map(({ topic }) => topic);
}

function signUnsubscribeToken(userId: number, topic: MailTopic, secret?: string): string {
  return keyedHash("unsubscribe", `${userId} ${topic}`, secret);
}
