import { notifyAccount, notifyConsultant } from "../accounts/email/queue-account-message.server.ts";
import { now } from "../clock.ts";
import { db, type Transaction } from "../db/database-client.server.ts";
import { DAY_MS } from "../time-units.ts";
import { env } from "../env.server.ts";
import {
  newConsultationRequestContent,
  consultationRequestReceivedContent,
} from "../mail/messages/consultation-request-messages.ts";
import { filterFailedMessageKeys } from "../mail/undelivered-mail.server.ts";
import { messageKey } from "../mail/message-key.server.ts";
import { enqueueMessage } from "../mail/outbox.server.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";

const REQUEST_RECEIVED_EVENT = "request-received" as const;
const requestSubjectKey = (id: number) => `request ${id}`;
/** Returns the deduplication key of the message about an address's first request of a day (UTC). */
const requestDaySubjectKey = (time: Date) => `request of ${time.toISOString().slice(0, 10)}`;

/**
 * Maximum number of requests read for one address, within the two weeks for which a failure is shown. The form's limits
 * allow fewer.
 */
const MAX_REQUESTS_PER_ADDRESS = 200;

type StoredRequest = { id: number; email: string; urgency: string; userId: number | null };

/** Notifies the sender of a request entered by the consultant that it was received. Sent because she chose to. */
export async function notifyPhoneRequestReceived(
  transaction: Transaction,
  { id, email }: Pick<StoredRequest, "id" | "email">,
): Promise<void> {
  const content = consultationRequestReceivedContent(env.practice.phone, { hasAccount: false });
  const message = { event: REQUEST_RECEIVED_EVENT, subjectKey: requestSubjectKey(id), content };
  await enqueueMessage(transaction, { userId: null, address: email }, message);
}

/**
 * Notifies the sender and the consultant that a request was received. Anyone can enter another person's address in the
 * public form, so an address without an account gets one message a day, which contains none of the submitted text.
 */
export async function notifyRequestReceived(transaction: Transaction, request: StoredRequest): Promise<void> {
  const { id, email, urgency, userId } = request;
  const isUrgent = urgency !== "routine";
  if (userId === null) {
    const subjectKey = requestDaySubjectKey(now());
    const content = consultationRequestReceivedContent(env.practice.phone, { hasAccount: false });
    await enqueueMessage(
      transaction,
      { userId, address: email, isUnconfirmedAddress: true },
      { event: REQUEST_RECEIVED_EVENT, subjectKey, content },
    );
  } else {
    const content = consultationRequestReceivedContent(env.practice.phone, { hasAccount: true, isUrgent });
    await notifyAccount(transaction, userId, () => ({
      event: REQUEST_RECEIVED_EVENT,
      subjectKey: requestSubjectKey(id),
      content,
    }));
  }
  const answerBy = formatPracticeDateTime(new Date(now().getTime() + DAY_MS));
  await notifyConsultant(
    transaction,
    userId,
    ({ firstName }) => ({
      event: "new-request",
      subjectKey: `request ${id}`,
      content: newConsultationRequestContent(firstName, id, { isUrgent, answerBy }),
    }),
    { isUrgent },
  );
}

type MailedRequest = Pick<StoredRequest, "id" | "email" | "userId"> & { createdAt: Date };

/** Returns the requests, each with whether the message that confirms its receipt could not be delivered. */
export async function addUndeliveredFlags<R extends MailedRequest>(
  requests: readonly R[],
): Promise<(R & { isUndelivered: boolean })[]> {
  const undeliveredKeys = await filterFailedMessageKeys(requests.flatMap(listRequestReceivedMessageKeys));
  return requests.map((request) => ({
    ...request,
    isUndelivered: listRequestReceivedMessageKeys(request).some((key) => undeliveredKeys.has(key)),
  }));
}

/**
 * Returns the keys under which the message that confirms the receipt may be stored. There are several, because the
 * account may have been assigned after the message was sent.
 */
export function listRequestReceivedMessageKeys({ id, email, userId, createdAt }: MailedRequest): string[] {
  const visitor = { userId: null, address: email };
  return [
    messageKey(REQUEST_RECEIVED_EVENT, requestSubjectKey(id), visitor),
    messageKey(REQUEST_RECEIVED_EVENT, requestDaySubjectKey(createdAt), visitor),
    ...(userId === null ? [] : [messageKey(REQUEST_RECEIVED_EVENT, requestSubjectKey(id), { userId, address: email })]),
  ];
}

/**
 * Returns the latest request that a message to this address was about; null if it was deleted or already belongs to an
 * account.
 */
export async function findRequestOfMail({ subjectKey, address }: { subjectKey: string; address: string }) {
  const requests = await db.consultationRequest.findMany({
    where: { email: address, userId: null },
    orderBy: { id: "desc" },
    take: MAX_REQUESTS_PER_ADDRESS,
    select: { id: true, status: true, createdAt: true },
  });
  return (
    requests.find(({ id, createdAt }) =>
      [requestSubjectKey(id), requestDaySubjectKey(createdAt)].includes(subjectKey),
    ) ?? null
  );
}
