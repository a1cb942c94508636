import { timingSafeEqual } from "node:crypto";
import { now } from "../clock.ts";
import { db, type Transaction } from "../db/client.server.ts";
import { env } from "../env.server.ts";
import { keyedHash } from "../http/network-hash.server.ts";
import { eventsOf, isMailTopic, type MailTopic } from "./events.ts";

/**
 * The page that turns a topic off without signing in, and leads to those of the person's other topics. It can do nothing
 * else, so it needs neither row nor expiry.
 */
export function unsubscribePath(userId: number, topic: MailTopic): string {
  return `/unsubscribe/${userId}.${topic}.${sign(userId, topic)}`;
}

/** The person and topic of an unsubscribe link; null when it is not one of ours. */
export function readUnsubscribeToken(token: string): { userId: number; topic: MailTopic } | null {
  const [, id = "", topic = "", signature = ""] = /^(\d{1,10})\.([a-z-]{1,20})\.([\w-]{43})$/.exec(token) ?? [];
  if (!isMailTopic(topic)) return null;
  const userId = Number(id);
  const isOurs = env.sessionSecrets.some((secret) =>
    timingSafeEqual(Buffer.from(sign(userId, topic, secret)), Buffer.from(signature)),
  );
  return isOurs ? { userId, topic } : null;
}

/**
 * Turns a topic off or on for an account, whose row the caller has locked. What waits of a topic that is turned off is not
 * mailed anymore; it stands in the portal. False when it was that already.
 */
export async function setMailTopic(
  transaction: Transaction,
  userId: number,
  topic: MailTopic,
  isWanted: boolean,
): Promise<boolean> {
  const isOff = (await transaction.mailOptOut.count({ where: { userId, topic } })) > 0;
  if (isOff !== isWanted) return false;
  if (isWanted) {
    await transaction.mailOptOut.deleteMany({ where: { userId, topic } });
    return true;
  }
  await transaction.mailOptOut.create({ data: { userId, topic, createdAt: now() } });
  const waiting = { userId, event: { in: eventsOf(topic) }, state: "pending" };
  await transaction.message.updateMany({ where: waiting, data: { state: "not-mailed" } });
  return true;
}

/** The topics that a person has turned off. */
export async function listOptOuts(userId: number, reader: Pick<Transaction, "mailOptOut"> = db): Promise<string[]> {
  const rows = await reader.mailOptOut.findMany({ where: { userId }, select: { topic: true } });
  return rows.map(({ topic }) => topic);
}

function sign(userId: number, topic: MailTopic, secret?: string): string {
  return keyedHash("unsubscribe", `${userId} ${topic}`, secret);
}
