import { sqltag as sql, join } from "@prisma/client/runtime/client";
import { now } from "../clock.ts";
import { db, inTransaction } from "../db/database-client.server.ts";
import { isUnreadable } from "../db/text-encryption.server.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../time-units.ts";
import { env } from "../env.server.ts";
import type { PeriodicJob } from "../periodic-job.ts";
import { SerialQueue } from "../serial-queue.ts";
import { MAX_MAIL_CONNECTIONS } from "./delivery-timeouts.ts";
import { dropSupersededMessages, hasNewerPendingVisitMessage, isNextForRecipientSql } from "./delivery-order.server.ts";
import type { MessageContent } from "./message-content.ts";
import { mailTopicOfEvent } from "./mail-events.ts";
import { emailMessageIdOf } from "./message-key.server.ts";
import { deleteOldMessagesAndLinks, DECOY_RECIPIENT } from "./outbox.server.ts";
import { unsubscribePath } from "./preferences.server.ts";
import { renderMessageHtml, renderMessageText } from "./render-message.ts";
import { newDeliveryLeaseExpiry, nextAttemptTime, rescheduleMessagesAfterOutage } from "./delivery-retry.server.ts";
import {
  closeMailConnections,
  deleteOldMailFiles,
  mailFailureCode,
  isPermanentMailFailure,
  mailMode,
  type Mail,
  simulateSendMail,
  sendMail,
} from "./mail-transport.server.ts";

const DELIVERY_INTERVAL_MS = 5 * SECOND_MS;
const BATCH_SIZE = MAX_MAIL_CONNECTIONS;
const RETRY_WINDOW_MS = 3 * DAY_MS;

const deliveryQueue = new SerialQueue();
/**
 * A new process immediately retries the messages that wait for the mail server, because its mail settings may have
 * changed.
 */
let isFirstDeliveryRun = true;
type ClaimedMessage = Awaited<ReturnType<typeof claimDueMessages>>[number];

/**
 * Sends the messages that are due, after any earlier round of this process has ended. Stops early when `signal` is
 * aborted.
 */
export function deliverDueMessages(signal?: AbortSignal): Promise<void> {
  return deliveryQueue.run(async () => {
    if (isFirstDeliveryRun) await rescheduleMessagesAfterOutage(db);
    isFirstDeliveryRun = false;
    for (;;) {
      const claimedMessages = signal?.aborted ? [] : await claimDueMessages();
      if (claimedMessages.length === 0) return;
      const acceptedFlags = await Promise.all(claimedMessages.map(deliverMessage));
      if (acceptedFlags.includes(true)) await rescheduleMessagesAfterOutage(db);
    }
  });
}

/**
 * Runs `work` while this process sends no messages, so that a message that `work` deletes is not being written to a
 * file at the same time.
 */
export function withDeliveryPaused<T>(work: () => Promise<T>): Promise<T> {
  return deliveryQueue.run(work);
}

export const MAIL_JOBS: PeriodicJob[] = [
  { name: "delivering mail", intervalMs: DELIVERY_INTERVAL_MS, run: deliverDueMessages, onStop: closeMailConnections },
  {
    name: "deleting old messages",
    intervalMs: HOUR_MS,
    run: async () => {
      await deleteOldMessagesAndLinks();
      await deleteOldMailFiles();
    },
  },
];

/**
 * Leases the messages that are due, the longest waiting first, so that no other process sends them for six minutes. If
 * the process dies, its messages are due again when the lease ends: each message is sent at least once, always with the
 * same Message-ID. While a message is leased its stored failure is null (`makeFailedMessagesDueNow`, `isNextForRecipientSql`); the
 * failure of the previous attempt is returned with the message.
 */
async function claimDueMessages() {
  const dueCondition = { state: "pending", nextAttemptAt: { lte: now() } };
  const candidates = await db.$queryRaw<{ id: number; failure: string | null }[]>(sql`
    SELECT "id", "failure" FROM "messages" AS "message" WHERE "state" = 'pending' AND "nextAttemptAt" <= ${now()}
    AND ${isNextForRecipientSql()} ORDER BY "nextAttemptAt", "id" LIMIT ${10 * BATCH_SIZE}`);
  if (candidates.length === 0) return [];
  const failures = new Map(candidates.map(({ id, failure }) => [id, failure]));
  const claimedMessages = await inTransaction(async (transaction) => {
    let ids = candidates.slice(0, BATCH_SIZE).map(({ id }) => id);
    if (env.databaseUrl.startsWith("postgres")) {
      // If there are several processes, each one claims messages that no other process is claiming.
      const rows = await transaction.$queryRaw<{ id: number }[]>(
        sql`SELECT "id" FROM "messages" WHERE "id" IN (${join(candidates.map(({ id }) => id))}) AND "state" = 'pending'
          ORDER BY "nextAttemptAt", "id" LIMIT ${BATCH_SIZE}::int FOR UPDATE SKIP LOCKED`,
      );
      ids = rows.map(({ id }) => id);
    }
    return transaction.message.updateManyAndReturn({
      where: { id: { in: ids }, ...dueCondition },
      data: { attempts: { increment: 1 }, failure: null, nextAttemptAt: newDeliveryLeaseExpiry() },
    });
  });
  return claimedMessages.map((message) => ({ ...message, failure: failures.get(message.id) ?? null }));
}

type AttemptResult = {
  state?: string;
  secretPath?: string | null;
  sentAt?: Date;
  failure?: string | null;
  nextAttemptAt?: Date;
};

/** Attempts to deliver a message. Returns whether the mail server accepted it. */
async function deliverMessage(message: ClaimedMessage): Promise<boolean> {
  if (message.address === DECOY_RECIPIENT.address) {
    await simulateAndDeleteDecoyMessage(message);
    return false;
  }
  const data = await attemptDelivery(message);
  await storeAttemptResult(message, data);
  if (data.state === "sent") await dropSupersededMessages(db, message);
  return data.state === "sent";
}

/**
 * Stores the result of an attempt. When two processes have claimed the same message because the first one was slow,
 * only the result of the later attempt is stored. If the message was not sent and the person's address has changed
 * during the attempt, it is sent to the new address.
 */
async function storeAttemptResult(message: ClaimedMessage, data: AttemptResult): Promise<void> {
  const { id, attempts, address } = message;
  const [stored] = await db.message.updateManyAndReturn({
    where: { id, attempts, state: "pending" },
    data,
    select: { address: true, state: true },
  });
  if (!stored) await storeResultOfDroppedMessage(message, data);
  else if (stored.address !== address && stored.state !== "sent")
    await db.message.updateMany({
      where: { id, attempts, state: stored.state },
      data: { state: "pending", failure: null, nextAttemptAt: now() },
    });
}

/**
 * Stores the result of an attempt during which the message was dropped or its topic turned off. A message that the mail
 * server accepted is stored as sent. Any other is not retried and no longer delays later messages.
 */
async function storeResultOfDroppedMessage(
  { id, attempts }: ClaimedMessage,
  { state, sentAt }: AttemptResult,
): Promise<void> {
  const data = state === "sent" ? { state, sentAt, secretPath: null } : { nextAttemptAt: now() };
  await db.message.updateMany({ where: { id, attempts, state: { in: ["dropped", "not-mailed"] } }, data });
}

/** Attempts to send a message. Returns the columns to update. */
async function attemptDelivery(message: ClaimedMessage): Promise<AttemptResult> {
  const { expiresAt, failure, secretPath } = message;
  // The dashboard warns that mail is not set up.
  if (mailMode === "none") return { state: "not-mailed", secretPath: null };
  // Expired before it was sent, because the mail server refused it or no process was running that could send it (then
  // `failure` is null). It is stored as failed, so that the consultant sees it in the list of what needs attention:
  // nothing else notifies her.
  if (expiresAt && expiresAt <= now()) return { state: "failed", failure, secretPath: null, nextAttemptAt: now() };
  try {
    await sendMail(toMail(message));
  } catch (error) {
    return toFailedAttemptResult(message, error);
  }
  // With mode "files" the secret path is kept, because a local process shows its email messages to the administrator
  // until the link in them expires.
  return { state: "sent", sentAt: now(), secretPath: mailMode === "files" ? secretPath : null };
}

/**
 * Does the work of sending a message without sending one, so that the response time doesn't reveal that there is no
 * such account.
 */
async function simulateAndDeleteDecoyMessage(message: ClaimedMessage): Promise<void> {
  if (mailMode !== "none") await simulateSendMail(toMail(message)).catch(() => null);
  await db.message.deleteMany({ where: { id: message.id } });
}

async function toFailedAttemptResult(message: ClaimedMessage, error: unknown): Promise<AttemptResult> {
  const { attempts, createdAt, expiresAt } = message;
  const failure = mailFailureCode(error);
  const failedResult = { state: "failed", failure, secretPath: null, nextAttemptAt: now() };
  if (isPermanentMailFailure(error)) return failedResult;
  const retryDeadline = createdAt.getTime() + RETRY_WINDOW_MS;
  const lastAttemptAt = new Date(Math.min(retryDeadline, expiresAt?.getTime() ?? retryDeadline));
  const hasNewer = await hasNewerPendingVisitMessage(db, message);
  const nextAttemptAt = nextAttemptTime({ attempts, failure, lastAttemptAt, hasNewer });
  return nextAttemptAt ? { failure, nextAttemptAt } : failedResult;
}

function toMail(message: ClaimedMessage): Mail {
  const { event, userId, address, content, secretPath, calendar } = message;
  if (isUnreadable(address) || isUnreadable(content)) throw new Error("The message can't be decrypted.");
  const messageContent = JSON.parse(content) as MessageContent;
  const topic = mailTopicOfEvent(event);
  const path = messageContent.action?.path ?? secretPath;
  const unsubscribeUrl = topic && userId !== null ? env.origin + unsubscribePath(userId, topic) : null;
  const unsubscribe = topic && unsubscribeUrl ? { topic, url: unsubscribeUrl } : null;
  const options = { practice: env.practice, origin: env.origin, actionUrl: path && env.origin + path, unsubscribe };
  return {
    messageId: emailMessageIdOf(message),
    event,
    to: address,
    subject: messageContent.subject,
    text: renderMessageText(messageContent, options),
    html: renderMessageHtml(messageContent, options),
    calendar,
    unsubscribeUrl,
  };
}
