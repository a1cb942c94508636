import { now } from "../clock.ts";
import type { Transaction } from "../db/client.server.ts";
import { HOUR_MS } from "../duration.ts";
import type { MessageContent } from "./content.ts";
import type { MailEvent } from "./events.ts";
import { keyPrefixOf } from "./outbox.server.ts";

/** A day's work of a family fits; a longer list ends with `MORE`. */
const MAX_FACTS = 30;
const MORE = { label: "More", value: "on their page" };

type Digest = { event: MailEvent; userId: number; familyId: number };
type Fact = NonNullable<MessageContent["facts"]>[number];

/**
 * Makes one mail an hour of what one family does often: the first event is mailed at once, those of the following hour
 * together at its end. Adds an event to the message that waits for that moment, in the transaction of the event; returns
 * whether there is one. Otherwise `dueAt` says when a message about this event is due; null: at once.
 */
export async function addToWaitingMessage(
  transaction: Transaction,
  { event, userId, familyId }: Digest,
  fact: Fact,
  compose: (facts: Fact[]) => MessageContent,
): Promise<{ isAdded: boolean; dueAt: Date | null }> {
  const since = { gt: new Date(now().getTime() - HOUR_MS) };
  const latest = await transaction.message.findFirst({
    where: {
      userId,
      event,
      key: { startsWith: keyPrefixOf(event, { causedBy: familyId }) },
      OR: [{ createdAt: since }, { sentAt: since }, { state: "pending", nextAttemptAt: { gt: now() } }],
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { id: true, createdAt: true, sentAt: true },
  });
  if (!latest) return { isAdded: false, dueAt: null };
  const dueAt = new Date((latest.sentAt ?? latest.createdAt).getTime() + HOUR_MS);
  const where = { id: latest.id, state: "pending", attempts: 0 };
  // Locks the row: a process that is about to mail it waits, or has claimed it already. What is due at once is left as it is.
  const { count } = await transaction.message.updateMany({
    where: { ...where, nextAttemptAt: { gt: now() } },
    data: { attempts: 0 },
  });
  if (count === 0) return { isAdded: false, dueAt };
  const { content } = await transaction.message.findUniqueOrThrow({
    where: { id: latest.id },
    select: { content: true },
  });
  const { facts = [] } = JSON.parse(content) as MessageContent;
  const isFull = facts.length >= MAX_FACTS;
  const longer = isFull ? [...facts.slice(0, MAX_FACTS), MORE] : [...facts, fact];
  await transaction.message.update({
    where: { id: latest.id },
    data: { content: JSON.stringify(compose(longer)) },
    select: { id: true },
  });
  return { isAdded: true, dueAt };
}
