import { now } from "../clock.ts";
import type { Transaction } from "../db/client.server.ts";
import { HOUR_MS } from "../duration.ts";
import type { MessageContent } from "./message-content.ts";
import type { MailEvent } from "./events.ts";
import { messageKeyPrefix } from "./message-key.server.ts";
import { toStoredContent } from "./wording.server.ts";

/** Enough for a family's activity of one day; a longer list ends with the number of omitted items. */
const MAX_FACTS = 30;
const MORE = "More";

/**
 * `familyId`: the family that the consultant is told about; left out where an account is told of itself. `periodMs`: how
 * long after a mail the next one goes out at the earliest. `isAtOnce`: this event can't wait; what waits goes with it.
 */
type Digest = {
  event: MailEvent;
  userId: number;
  address?: string;
  familyId?: number;
  periodMs?: number;
  isAtOnce?: boolean;
};
type Fact = NonNullable<MessageContent["facts"]>[number];

/**
 * Makes one mail an hour (or `periodMs`) of what is done often: the first event is mailed at once, those of the following
 * hour together at its end. Adds `added` to the message that waits for that moment, in the transaction of the event; returns
 * whether there is one. Otherwise `dueAt` says when a message about this event is due; null: at once.
 */
export async function appendToPendingDigest(
  transaction: Transaction,
  { event, userId, address, familyId, periodMs = HOUR_MS, isAtOnce = false }: Digest,
  added: Fact[],
  compose: (facts: Fact[]) => MessageContent,
): Promise<{ isAdded: boolean; dueAt: Date | null }> {
  const since = { gt: new Date(now().getTime() - periodMs) };
  const latest = await transaction.message.findFirst({
    where: {
      userId,
      event,
      key: { startsWith: messageKeyPrefix(event, { causedBy: familyId }) },
      OR: [{ createdAt: since }, { sentAt: since }, { state: "pending", nextAttemptAt: { gt: now() } }],
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { id: true, address: true, createdAt: true, sentAt: true },
  });
  if (!latest || (address !== undefined && latest.address !== address)) return { isAdded: false, dueAt: null };
  const dueAt = isAtOnce ? null : new Date((latest.sentAt ?? latest.createdAt).getTime() + periodMs);
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
  await transaction.message.update({
    where: { id: latest.id },
    data: {
      content: JSON.stringify(await toStoredContent(transaction, compose(added.reduce(addFact, facts)))),
      ...(isAtOnce && { nextAttemptAt: now() }),
    },
    select: { id: true },
  });
  return { isAdded: true, dueAt };
}

function addFact(facts: Fact[], fact: Fact): Fact[] {
  if (facts.length < MAX_FACTS) return [...facts, fact];
  const others = Number(/\d+/.exec(facts[MAX_FACTS]?.value ?? "")?.[0] ?? 0) + 1;
  return [...facts.slice(0, MAX_FACTS), { label: MORE, value: `and ${others} more` }];
}
