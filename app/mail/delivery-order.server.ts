import { join, sqltag as sql } from "@prisma/client/runtime/client";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { now } from "../clock.ts";
import type { Transaction } from "../db/database-client.server.ts";
import { MINUTE_MS } from "../time-units.ts";
import { REMINDER_EVENTS } from "./mail-events.ts";
import { ADDRESS_HASH_LENGTH } from "./message-key.server.ts";
import { makeFailedMessagesDueNow, MAX_RETRY_DELAY_BEFORE_NEWER_MS } from "./delivery-retry.server.ts";

/**
 * How long a failed message delays later ones to the same recipient. Messages about visits are delivered to each
 * recipient in the order in which they were created, so that the last one to arrive is correct. After this time, later
 * messages are sent, too, each time within a minute after a retry of the failed one, so that the order is also kept
 * when an outage ends.
 */
const MAX_WAIT_FOR_EARLIER_MS = 45 * MINUTE_MS;

/** Events that contain the current state of a visit and make earlier messages about it obsolete. */
const VISIT_STATE_EVENTS = ["visit-moved", "visit-cancelled", ...REMINDER_EVENTS];
const SUPERSEDED_EVENTS = ["visit-booked", "visit-moved", ...REMINDER_EVENTS];
/** Events that make earlier messages incorrect, whether or not those were delivered. */
const VISIT_CHANGE_EVENTS = ["visit-moved", "visit-cancelled"];
const TRIED_WITHIN_MS = MINUTE_MS;

type VisitMessage = { id: number; event: string; userId: number | null; appointmentId: number | null };

/**
 * SQL condition: true when no earlier message to the recipient of `"message"`, a row of `messages`, is pending, and no
 * dropped one is still being sent. A person without an account is identified by the end of the key
 * (message-key.server.ts). A reminder contains the time of its visit, so it is sent soon after a message about that
 * time has failed.
 */
export function isNextForRecipientSql() {
  const time = now();
  const waitsSince = new Date(time.getTime() - MAX_WAIT_FOR_EARLIER_MS);
  // A failed message that a newer one waits for is retried every five minutes.
  const nextAfterFailure = new Date(time.getTime() + MAX_RETRY_DELAY_BEFORE_NEWER_MS - TRIED_WITHIN_MS);
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
 * Makes the earlier messages about visits to an account due now, because a newer one waits for them. Earlier messages
 * about the same visit become obsolete no later than the newer one (`expiresAt`).
 */
export async function rescheduleEarlierVisitMessages(
  transaction: Transaction,
  { userId, appointmentId }: { userId: number; appointmentId: number },
  expiresAt: Date | null,
): Promise<void> {
  await makeFailedMessagesDueNow(transaction, { userId, appointmentId: { not: null } });
  if (expiresAt)
    await transaction.message.updateMany({
      where: { userId, appointmentId, state: "pending", expiresAt: { gt: expiresAt } },
      data: { expiresAt },
    });
}

/** Returns whether a newer message about a visit to the same account is pending. */
export async function hasNewerPendingVisitMessage(
  client: Prisma.TransactionClient,
  { id, userId, appointmentId }: VisitMessage,
): Promise<boolean> {
  if (userId === null || appointmentId === null) return false;
  const where = { userId, appointmentId: { not: null }, id: { gt: id }, state: "pending" };
  return (await client.message.count({ where })) > 0;
}

/** Drops the pending earlier messages about a visit when a message with its current state has been sent. */
export async function dropSupersededMessages(
  client: Prisma.TransactionClient,
  { id, event, userId, appointmentId }: VisitMessage,
): Promise<void> {
  if (appointmentId === null || !VISIT_STATE_EVENTS.includes(event)) return;
  await client.message.updateMany({
    where: { appointmentId, userId, id: { lt: id }, state: "pending", event: { in: SUPERSEDED_EVENTS } },
    data: { state: "dropped" },
  });
}

/**
 * Returns the unsent messages to an account that are still correct. Leaves out messages with the time of a visit that
 * was moved or canceled later, and messages about a visit whose state was in a later message that was already sent.
 */
export async function excludeSupersededMessages<Message extends Omit<VisitMessage, "userId">>(
  transaction: Transaction,
  userId: number,
  messages: readonly Message[],
): Promise<Message[]> {
  const laterMessages = await transaction.message.groupBy({
    by: ["appointmentId"],
    where: {
      userId,
      appointmentId: { in: messages.flatMap(({ appointmentId }) => appointmentId ?? []) },
      OR: [{ event: { in: VISIT_CHANGE_EVENTS } }, { event: { in: VISIT_STATE_EVENTS }, state: "sent" }],
    },
    _max: { id: true },
  });
  const lastIdByAppointment = new Map(laterMessages.map(({ appointmentId, _max }) => [appointmentId, _max.id ?? 0]));
  return messages.filter(
    ({ id, event, appointmentId }) =>
      !SUPERSEDED_EVENTS.includes(event) ||
      appointmentId === null ||
      (lastIdByAppointment.get(appointmentId) ?? 0) <= id,
  );
}
