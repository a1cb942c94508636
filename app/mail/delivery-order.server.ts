import { join, sqltag as sql } from "@prisma/client/runtime/client";
import { now } from "../clock.ts";
import type { Transaction } from "../db/client.server.ts";
import { MINUTE_MS } from "../duration.ts";
import { REMINDER_EVENTS } from "./events.ts";
import { ADDRESS_HASH_LENGTH } from "./message-key.server.ts";
import { makeDue, MAX_WAIT_BEFORE_NEWER_MS } from "./retry.server.ts";

/**
 * Messages about visits are delivered to each recipient in creation order, so that the last one to arrive is the one that
 * is true. A failed message blocks later ones for this long. Afterwards they are sent, too, each time within a minute after
 * the failed one was retried, so that the order also holds when an outage ends.
 */
const MAX_WAIT_FOR_EARLIER_MS = 45 * MINUTE_MS;

/** Events that contain the current state of a visit and make earlier messages about it obsolete. */
const STATE_EVENTS = ["visit-moved", "visit-cancelled", ...REMINDER_EVENTS];
const SUPERSEDED_EVENTS = ["visit-booked", "visit-moved", ...REMINDER_EVENTS];
/** Events that make earlier messages untrue, whether or not they were delivered. */
const CHANGE_EVENTS = ["visit-moved", "visit-cancelled"];
const TRIED_WITHIN_MS = MINUTE_MS;

type VisitMessage = { id: number; event: string; userId: number | null; appointmentId: number | null };

/**
 * SQL: true when no earlier message to the recipient of `"message"`, a row of `messages`, is pending, and no dropped one is
 * still being sent. A person without an account is identified by the end of the key (message-key.server.ts). A reminder
 * contains the time of its visit, so it does not wait long for a failed message about that time.
 */
export function nextForRecipientCondition() {
  const time = now();
  const waitsSince = new Date(time.getTime() - MAX_WAIT_FOR_EARLIER_MS);
  // A failed message with a newer one behind it is retried every five minutes.
  const nextAfterFailure = new Date(time.getTime() + MAX_WAIT_BEFORE_NEWER_MS - TRIED_WITHIN_MS);
  const end = ADDRESS_HASH_LENGTH - 1;
  const sameAddressCondition = sql`substr("earlier"."key", length("earlier"."key") - ${end})
    = substr("message"."key", length("message"."key") - ${end})`;
  const earlierCondition = sql`"earlier"."id" < "message"."id"
    AND "earlier"."appointmentId" IS NOT NULL AND "message"."appointmentId" IS NOT NULL
    AND ("earlier"."userId" = "message"."userId" OR ("earlier"."userId" IS NULL AND "message"."userId" IS NULL
      AND "earlier"."appointmentId" = "message"."appointmentId" AND ${sameAddressCondition}))`;
  return sql`NOT EXISTS (SELECT 1 FROM "messages" AS "earlier" WHERE "earlier"."state" = 'dropped' AND ${earlierCondition}
    AND "earlier"."attempts" > 0 AND "earlier"."failure" IS NULL AND "earlier"."nextAttemptAt" > ${time})
    AND NOT EXISTS (SELECT 1 FROM "messages" AS "earlier" WHERE "earlier"."state" = 'pending' AND ${earlierCondition}
    AND ("earlier"."attempts" > 0 OR "earlier"."nextAttemptAt" <= ${time})
    AND NOT ("earlier"."failure" IS NOT NULL AND "earlier"."nextAttemptAt" > ${nextAfterFailure}
      AND ("message"."createdAt" <= ${waitsSince} OR ("earlier"."appointmentId" = "message"."appointmentId"
        AND "message"."event" IN (${join(REMINDER_EVENTS)}) AND "earlier"."event" IN (${join(SUPERSEDED_EVENTS)})))))`;
}

/**
 * Makes the earlier messages to an account about visits due, because a newer one waits for them. Those about the same
 * visit are of no use anymore when the newer one is not (`expiresAt`).
 */
export async function retryBeforeNewer(
  transaction: Transaction,
  { userId, appointmentId }: { userId: number; appointmentId: number },
  expiresAt: Date | null,
): Promise<void> {
  await makeDue(transaction, { userId, appointmentId: { not: null } });
  if (expiresAt)
    await transaction.message.updateMany({
      where: { userId, appointmentId, state: "pending", expiresAt: { gt: expiresAt } },
      data: { expiresAt },
    });
}

/** Whether a newer message about a visit to the same account waits. */
export async function hasNewerMessage(
  transaction: Transaction,
  { id, userId, appointmentId }: VisitMessage,
): Promise<boolean> {
  if (userId === null || appointmentId === null) return false;
  const where = { userId, appointmentId: { not: null }, id: { gt: id }, state: "pending" };
  return (await transaction.message.count({ where })) > 0;
}

/** Drops what still waits of the earlier messages about a visit once one is sent that tells its present state. */
export async function dropSuperseded(
  transaction: Transaction,
  { id, event, userId, appointmentId }: VisitMessage,
): Promise<void> {
  if (appointmentId === null || !STATE_EVENTS.includes(event)) return;
  await transaction.message.updateMany({
    where: { appointmentId, userId, id: { lt: id }, state: "pending", event: { in: SUPERSEDED_EVENTS } },
    data: { state: "dropped" },
  });
}

/**
 * Those of unsent messages to an account that tell what still holds: not the time of a visit that was moved or canceled
 * later, nor one that an already sent message about that visit told later.
 */
export async function withoutSuperseded<Message extends Omit<VisitMessage, "userId">>(
  transaction: Transaction,
  userId: number,
  messages: readonly Message[],
): Promise<Message[]> {
  const later = await transaction.message.groupBy({
    by: ["appointmentId"],
    where: {
      userId,
      appointmentId: { in: messages.flatMap(({ appointmentId }) => appointmentId ?? []) },
      OR: [{ event: { in: CHANGE_EVENTS } }, { event: { in: STATE_EVENTS }, state: "sent" }],
    },
    _max: { id: true },
  });
  const lastIds = new Map(later.map(({ appointmentId, _max }) => [appointmentId, _max.id ?? 0]));
  return messages.filter(
    ({ id, event, appointmentId }) =>
      !SUPERSEDED_EVENTS.includes(event) || appointmentId === null || (lastIds.get(appointmentId) ?? 0) <= id,
  );
}
