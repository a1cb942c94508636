import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { db, inTransaction, type Transaction } from "../../db/database-client.server.ts";
import {
  listOptOuts,
  parseUnsubscribeToken,
  setMailTopicSubscription,
  unsubscribePath,
} from "../../mail/preferences.server.ts";
import { type MailTopic, topicsForPerson } from "../../mail/mail-events.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { confirmEmailContent } from "../../mail/messages/account-messages.ts";
import { enqueueMessage } from "../../mail/outbox.server.ts";
import { lockAccountRow } from "../lock-account-row.server.ts";
import { familyIdOf, type Person } from "../person.ts";
import { consumeConfirmationMailLimits } from "./confirmation-mail-limits.server.ts";
import { createConfirmationLink } from "./confirmation-link.server.ts";

const unknownLinkRefusal = refused(
  "notFound",
  "This link is not complete. Please open it from the email again, or call us.",
);

const mailLimitRefusal = refused(
  "tooMany",
  "Too many emails went to this address or from your network. Please try again tomorrow, or call us.",
);

const alreadyConfirmedRefusal = refused("conflict", "Your email address is already confirmed.");

/**
 * The topic that an unsubscribe link turns off, whether it is already off, and links for the person's other topics that
 * are still on.
 */
export type UnsubscribeChoice = { topic: MailTopic; isOptedOut: boolean; others: { topic: MailTopic; path: string }[] };

/** Returns the choice that an unsubscribe link offers. Refusal: notFound, also for a deleted account. */
export async function findUnsubscribeChoice(token: string): Promise<Outcome<UnsubscribeChoice>> {
  const link = parseUnsubscribeToken(token);
  const account = link && (await db.user.findUnique({ where: { id: link.userId }, select: { isAdmin: true } }));
  if (!link || !account) return unknownLinkRefusal;
  const { userId, topic } = link;
  const optOuts = await listOptOuts(userId);
  const isOtherEnabledTopic = (each: MailTopic) => each !== topic && !optOuts.includes(each);
  const otherTopics = topicsForPerson(account)
    .filter(isOtherEnabledTopic)
    .map((each) => ({ topic: each, path: unsubscribePath(userId, each) }));
  return accepted({ topic, isOptedOut: optOuts.includes(topic), others: otherTopics });
}

/** Turns off the topic of an unsubscribe link; no sign-in is needed. Refusal: notFound, also for a deleted account. */
export async function unsubscribe(token: string): Promise<Outcome<UnsubscribeChoice>> {
  const link = parseUnsubscribeToken(token);
  if (!link) return unknownLinkRefusal;
  const { userId, topic } = link;
  const isFound = await inTransaction(async (transaction) => {
    if (!(await lockAccountRow(transaction, userId))) return false;
    // Only an actual change is recorded, because the link can be used any number of times without a session that counts
    // it.
    if (await setMailTopicSubscription(transaction, userId, topic, false))
      recordAuditInTransaction(transaction, { action: "settings-changed", familyId: userId, objectId: userId });
    return true;
  });
  return isFound ? findUnsubscribeChoice(token) : unknownLinkRefusal;
}

/** Sets which topics a person receives by mail; turns off the others. */
export async function saveMailTopics(person: Person, enabledTopics: readonly string[]): Promise<void> {
  await inTransaction(async (transaction) => {
    await lockAccountRow(transaction, person.id);
    for (const topic of topicsForPerson(person))
      await setMailTopicSubscription(transaction, person.id, topic, enabledTopics.includes(topic));
    recordAuditInTransaction(transaction, {
      action: "settings-changed",
      familyId: familyIdOf(person),
      objectId: person.id,
    });
  });
}

/** Returns a person's mail settings, and whether the address is confirmed. */
export async function getEmailPreferences(person: Person): Promise<{ optOuts: string[]; isConfirmed: boolean }> {
  const [optOuts, account] = await Promise.all([
    listOptOuts(person.id),
    db.user.findUniqueOrThrow({ where: { id: person.id }, select: { emailConfirmedAt: true } }),
  ]);
  return { optOuts, isConfirmed: account.emailConfirmedAt !== null };
}

/** Thrown to roll back the transaction when the confirmation link can't be mailed. */
class NotMailedError extends Error {}

/**
 * Mails a new link that confirms the person's address. Earlier confirmation links stop working, but not a link to a new
 * address. Refusals: conflict (the address is already confirmed, or is the consultant's); tooMany, after 3 an hour or 6
 * a day, or if too many messages were sent to the address or caused by its network. After a refusal earlier links stay
 * valid.
 */
export async function replaceAndMailConfirmationLink(person: Person): Promise<Outcome<null>> {
  if (person.isAdmin || (await getEmailPreferences(person)).isConfirmed) return alreadyConfirmedRefusal;
  const rateLimitRefusal = await consumeConfirmationMailLimits(person.id);
  if (rateLimitRefusal) return rateLimitRefusal;
  const createAndMailLink = async (transaction: Transaction): Promise<Outcome<null>> => {
    await lockAccountRow(transaction, person.id);
    const { email, emailConfirmedAt } = await transaction.user.findUniqueOrThrow({
      where: { id: person.id },
      select: { email: true, emailConfirmedAt: true },
    });
    if (emailConfirmedAt) return alreadyConfirmedRefusal;
    const { secretPath, expiresAt } = await createConfirmationLink(transaction, person.id, email);
    const content = confirmEmailContent();
    const subjectKey = `link until ${expiresAt.toISOString()}`;
    const message = { event: "confirm-email" as const, subjectKey, content, secretPath, expiresAt };
    const recipient = { userId: person.id, address: email, isUnconfirmedAddress: true };
    if (!(await enqueueMessage(transaction, recipient, message))) throw new NotMailedError();
    return accepted(null);
  };
  return inTransaction(createAndMailLink).catch((error: unknown) => {
    if (error instanceof NotMailedError) return mailLimitRefusal;
    throw error;
  });
}
