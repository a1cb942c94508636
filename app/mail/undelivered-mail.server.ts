import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { DAY_MS, HOUR_MS } from "../time-units.ts";
import { parseMessageKey } from "./message-key.server.ts";

export const FAILURE_DISPLAY_PERIOD_MS = 14 * DAY_MS;
/**
 * Maximum rows read for accounts, and for addresses without one. More than the mail limits allow in two weeks of normal
 * operation.
 */
const MAX_ROWS_READ = 500;

/**
 * `code` is the mail server's code, or why the server could not be reached. It is empty if no attempt was made in time,
 * and during an attempt. `isRetrying` means that the message was temporarily refused and will be retried.
 */
type Failure = { id: number; code: string; createdAt: string; isRetrying: boolean };
export type FailedAccountMail = Failure & { userId: number; name: string; isAdmin: boolean };
/** `subjectKey` is the part of the message's key that identifies its subject (`NewMessage.subjectKey`). */
export type FailedVisitorMail = Failure & { event: string; subjectKey: string; address: string };

/**
 * Events that notify a family of a new time of a visit or its cancellation. Another delivered message does not replace
 * them.
 */
const VISIT_EVENTS = ["visit-booked", "visit-moved", "visit-cancelled"];
/** `VISIT_EVENTS`, and the reminder that is early enough for a phone call. */
const RETRYING_VISIT_EVENTS = [...VISIT_EVENTS, "visit-reminder-24h"];
/**
 * How long a message about a visit may be refused before it is shown, although it is not given up yet: someone can
 * still call the family in time.
 */
const RETRYING_SHOWN_AFTER_MS = HOUR_MS;

const NEWEST_FIRST_ORDER = [{ createdAt: "desc" as const }, { id: "desc" as const }];
const recentFailureCondition = () => ({
  state: "failed",
  createdAt: { gt: new Date(now().getTime() - FAILURE_DISPLAY_PERIOD_MS) },
});
const longRefusedCondition = () => ({
  state: "pending",
  event: { in: RETRYING_VISIT_EVENTS },
  // Also true during another attempt.
  attempts: { gt: 0 },
  createdAt: { lt: new Date(now().getTime() - RETRYING_SHOWN_AFTER_MS) },
});

/**
 * Returns the accounts that a message could not be delivered to within two weeks, newest first, each with its latest
 * such message. A message about a visit is listed until a later message about the same visit is sent. A reminder that
 * was given up, and any other message, is listed until any later message is sent to the account.
 */
export async function listAccountsWithUndeliveredMail(): Promise<FailedAccountMail[]> {
  const rows = await db.message.findMany({
    where: { userId: { not: null }, OR: [recentFailureCondition(), longRefusedCondition()] },
    orderBy: NEWEST_FIRST_ORDER,
    take: MAX_ROWS_READ,
    select: {
      id: true,
      event: true,
      state: true,
      appointmentId: true,
      failure: true,
      nextAttemptAt: true,
      createdAt: true,
      user: {
        select: {
          id: true,
          firstName: true,
          lastName: true,
          isAdmin: true,
          messages: { where: { state: "sent" }, orderBy: { sentAt: "desc" }, take: 1, select: { sentAt: true } },
        },
      },
    },
  });
  const lastSentIdByVisit = await findLastSentMessageIdByVisit(rows);
  const seenUserIds = new Set<number>();
  return rows.flatMap(({ user, event, appointmentId, ...row }) => {
    if (!user || seenUserIds.has(user.id)) return [];
    const isVisitMessage = appointmentId !== null && (row.state === "pending" || VISIT_EVENTS.includes(event));
    const isSuperseded = isVisitMessage
      ? (lastSentIdByVisit.get(`${user.id} ${appointmentId}`) ?? 0) > row.id
      : (user.messages[0]?.sentAt ?? row.createdAt) > row.nextAttemptAt;
    if (isSuperseded) return [];
    const { id: userId, firstName, lastName, isAdmin } = user;
    seenUserIds.add(userId);
    return { ...toFailure(row), userId, name: `${firstName} ${lastName}`, isAdmin };
  });
}

/**
 * Returns the id of the latest message that was sent to an account about a visit, keyed by "<account id> <visit id>".
 */
async function findLastSentMessageIdByVisit(
  rows: readonly { appointmentId: number | null }[],
): Promise<Map<string, number>> {
  const visitIds = [...new Set(rows.flatMap(({ appointmentId }) => appointmentId ?? []))];
  if (visitIds.length === 0) return new Map();
  const sentMessages = await db.message.groupBy({
    by: ["userId", "appointmentId"],
    where: { appointmentId: { in: visitIds }, state: "sent" },
    _max: { id: true },
  });
  return new Map(sentMessages.map(({ userId, appointmentId, _max }) => [`${userId} ${appointmentId}`, _max.id ?? 0]));
}

/**
 * Returns the addresses without an account that a message could not be delivered to within two weeks, newest first,
 * each with its latest such message. Lists an address until any later message to it is sent.
 */
export async function listFailedVisitorMails(): Promise<FailedVisitorMail[]> {
  const rows = await db.message.findMany({
    where: { ...recentFailureCondition(), userId: null },
    orderBy: NEWEST_FIRST_ORDER,
    take: MAX_ROWS_READ,
    select: { id: true, key: true, event: true, address: true, state: true, failure: true, createdAt: true },
  });
  const oldest = rows.at(-1)?.createdAt;
  if (!oldest) return [];
  const sentMessages = await db.message.findMany({
    where: { state: "sent", userId: null, createdAt: { gt: oldest } },
    orderBy: NEWEST_FIRST_ORDER,
    take: MAX_ROWS_READ,
    select: { key: true, createdAt: true },
  });
  // Stored addresses are encrypted, with a different result each time, but the keys end with a hash of the address.
  const lastSentAtByRecipient = new Map(
    sentMessages.toReversed().map(({ key, createdAt }) => [parseMessageKey(key).recipientId, createdAt]),
  );
  const seenRecipientIds = new Set<string>();
  return rows.flatMap(({ key, event, address, ...row }) => {
    const { subjectKey, recipientId } = parseMessageKey(key);
    if (seenRecipientIds.has(recipientId) || (lastSentAtByRecipient.get(recipientId) ?? row.createdAt) > row.createdAt)
      return [];
    seenRecipientIds.add(recipientId);
    return { ...toFailure(row), event, subjectKey, address };
  });
}

/**
 * Returns the `keys` (see `messageKey`) whose message could not be delivered, including those that a later message has
 * replaced.
 */
export async function filterFailedMessageKeys(keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const where = { key: { in: [...keys] }, state: { in: ["failed", "dropped"] } };
  const rows = await db.message.findMany({ where, take: keys.length, select: { key: true } });
  return new Set(rows.map(({ key }) => key));
}

function toFailure(row: { id: number; state: string; failure: string | null; createdAt: Date }): Failure {
  const { id, state, failure, createdAt } = row;
  return { id, code: failure ?? "", createdAt: createdAt.toISOString(), isRetrying: state === "pending" };
}
