import { notifyAccount, notifyConsultant } from "../accounts/email/notify.server.ts";
import { now } from "../clock.ts";
import type { Transaction } from "../db/client.server.ts";
import { DAY_MS } from "../duration.ts";
import { env } from "../env.server.ts";
import { newRequestContent, requestReceivedContent } from "../mail/messages/request-messages.ts";
import { enqueueMessage } from "../mail/outbox.server.ts";
import { formatPracticeTime } from "../practice/format-time.server.ts";

type StoredRequest = { id: number; email: string; urgency: string; userId: number | null };

/** Tells somebody whose request the consultant entered that it has arrived, because she asked for that. */
export async function confirmEnteredRequest(
  transaction: Transaction,
  { id, email }: Pick<StoredRequest, "id" | "email">,
): Promise<void> {
  const content = requestReceivedContent(env.practice.phone, { hasAccount: false });
  const message = { event: "request-received" as const, about: `request ${id}`, content };
  await enqueueMessage(transaction, { userId: null, address: email }, message);
}

/**
 * Tells the sender of a request that it has arrived, and the consultant of it. Anybody can type anybody's address into
 * the public form, so an address without an account hears of one request a day, in words that are all our own.
 */
export async function notifyRequestReceived(transaction: Transaction, request: StoredRequest): Promise<void> {
  const { id, email, urgency, userId } = request;
  const event = "request-received" as const;
  const isUrgent = urgency !== "routine";
  if (userId === null) {
    const about = `request of ${now().toISOString().slice(0, 10)}`;
    const content = requestReceivedContent(env.practice.phone, { hasAccount: false });
    await enqueueMessage(transaction, { userId, address: email, isUnproven: true }, { event, about, content });
  } else {
    const content = requestReceivedContent(env.practice.phone, { hasAccount: true, isUrgent });
    await notifyAccount(transaction, userId, () => ({ event, about: `request ${id}`, content }));
  }
  const answerBy = formatPracticeTime(new Date(now().getTime() + DAY_MS));
  await notifyConsultant(
    transaction,
    userId,
    ({ firstName }) => ({
      event: "new-request",
      about: `request ${id}`,
      content: newRequestContent(firstName, id, { isUrgent, answerBy }),
    }),
    { isUrgent },
  );
}
