import { now } from "../clock.ts";
import type { Transaction } from "../db/database-client.server.ts";
import { HOUR_MS } from "../time-units.ts";
import type { MessageContent } from "./message-content.ts";
import type { MailEvent } from "./mail-events.ts";
import { messageKeyPrefix } from "./message-key.server.ts";
import { applyEditedWording } from "./wording.server.ts";

/**
 * Maximum facts in one message, enough for a family's activity of one day. A longer list ends with the number of
 * omitted items.
 */
const MAX_FACTS = 30;
const MORE_LABEL = "More";

/**
 * `familyId`: the family that the consultant is notified about, or undefined when an account is notified about itself.
 * `periodMs`: minimum time between two messages. `shouldSendImmediately`: this event can't wait; pending facts are sent with it.
 */
type Digest = {
  event: MailEvent;
  userId: number;
  address?: string;
  familyId?: number;
  periodMs?: number;
  shouldSendImmediately?: boolean;
};
type Fact = NonNullable<MessageContent["facts"]>[number];

/**
 * Combines frequent events into one message an hour (or per `periodMs`). The first event is sent immediately, those of
 * the following hour together at its end. Adds `addedFacts` to the pending message, in the transaction of the event.
 * `isAdded` is whether there was such a message. Otherwise `dueAt` is when a message about this event is due (UTC), or
 * null for immediately.
 */
export async function appendToPendingDigest(
  transaction: Transaction,
  { event, userId, address, familyId, periodMs = HOUR_MS, shouldSendImmediately = false }: Digest,
  addedFacts: Fact[],
  compose: (facts: Fact[]) => MessageContent,
): Promise<{ isAdded: boolean; dueAt: Date | null }> {
  const withinPeriodCondition = { gt: new Date(now().getTime() - periodMs) };
  const latestMessage = await transaction.message.findFirst({
    where: {
      userId,
      event,
      key: { startsWith: messageKeyPrefix(event, { triggeringFamilyId: familyId }) },
      OR: [
        { createdAt: withinPeriodCondition },
        { sentAt: withinPeriodCondition },
        { state: "pending", nextAttemptAt: { gt: now() } },
      ],
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { id: true, address: true, createdAt: true, sentAt: true },
  });
  if (!latestMessage || (address !== undefined && latestMessage.address !== address))
    return { isAdded: false, dueAt: null };
  const dueAt = shouldSendImmediately
    ? null
    : new Date((latestMessage.sentAt ?? latestMessage.createdAt).getTime() + periodMs);
  const where = { id: latestMessage.id, state: "pending", attempts: 0 };
  // Locks the row. A process that is about to send the message waits, or has already claimed it. A message that is
  // already due is not changed.
  const { count } = await transaction.message.updateMany({
    where: { ...where, nextAttemptAt: { gt: now() } },
    data: { attempts: 0 },
  });
  if (count === 0) return { isAdded: false, dueAt };
  const { content } = await transaction.message.findUniqueOrThrow({
    where: { id: latestMessage.id },
    select: { content: true },
  });
  const { facts = [] } = JSON.parse(content) as MessageContent;
  await transaction.message.update({
    where: { id: latestMessage.id },
    data: {
      content: JSON.stringify(await applyEditedWording(transaction, compose(addedFacts.reduce(addFact, facts)))),
      ...(shouldSendImmediately && { nextAttemptAt: now() }),
    },
    select: { id: true },
  });
  return { isAdded: true, dueAt };
}

function addFact(facts: Fact[], fact: Fact): Fact[] {
  if (facts.length < MAX_FACTS) return [...facts, fact];
  const omittedCount = Number(/\d+/.exec(facts[MAX_FACTS]?.value ?? "")?.[0] ?? 0) + 1;
  return [...facts.slice(0, MAX_FACTS), { label: MORE_LABEL, value: `and ${omittedCount} more` }];
}
