import { db, inTransaction } from "../../db/database-client.server.ts";
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { logError } from "../../http/errors.server.ts";
import { accepted, type Outcome, type Refusal } from "../../http/outcome.ts";
import { createNetworkLimiter, createRateLimiter } from "../../http/rate-limit.server.ts";
import { passwordResetContent } from "../../mail/messages/account-messages.ts";
import { enqueueMessage, DECOY_RECIPIENT } from "../../mail/outbox.server.ts";
import { toRateLimitedMailbox } from "../../mail/rate-limited-mailbox.ts";
import { mailMode } from "../../mail/mail-transport.server.ts";
import { mailboxLimitKey } from "../../mail/mailbox-limit-key.server.ts";
import { SerialQueue } from "../../serial-queue.ts";
import { toRecipientProfile } from "../email/queue-account-message.server.ts";
import { replaceResetLink } from "./password-reset.server.ts";
import { hashSecretToken } from "../../secret-token.server.ts";

export const LINK_SENT_MESSAGE =
  "If there is an account with this address, an email with a link is on its way. It works for one hour. Nothing there? Check your spam folder, or call us.";
/** Response of a site without mail, whose page offers no form. */
const NO_MAIL_MESSAGE = `We send no email. Please call us at ${env.practice.phone}: we'll give you a link over the phone.`;

const networkResetRequestLimiter = createNetworkLimiter("forgot-password", 5, 15 * MINUTE_SECONDS);
const accountLinkLimiter = createRateLimiter("forgot-password-account", 3, HOUR_SECONDS);
const dailyAccountLinkLimiter = createRateLimiter("forgot-password-account-day", 9, DAY_SECONDS);
/** Keyed by `mailboxLimitKey`, so that one network does not use up the links that others can request. */
const mailboxNetworkLinkLimiter = createRateLimiter("forgot-password-mailbox", 3, HOUR_SECONDS);
const dailyMailboxNetworkLinkLimiter = createRateLimiter("forgot-password-mailbox-day", 9, DAY_SECONDS);
const dailyMailboxLinkLimiter = createRateLimiter("forgot-password-mailbox-all", 45, DAY_SECONDS);

const resetLinkQueue = new SerialQueue();

/**
 * Mails a link with which the owner of an account chooses a new password. It is valid once, for one hour. An account
 * gets at most three links an hour and nine a day. An unconfirmed mailbox gets the same number from one network, for
 * all accounts whose addresses lead to it together, and 45 a day from all networks. The administrator gets none: that
 * password is set on the server.
 * The outcome is the same for every address and returns before the account is looked up, and the work after it takes
 * the same time, so that the response does not reveal whether the account exists. Refusal: tooMany, for the network.
 */
export async function requestResetLink(email: string, ip: string): Promise<Outcome<{ message: string }>> {
  const rateLimitRefusal = await networkResetRequestLimiter.consume(ip);
  if (rateLimitRefusal) return rateLimitRefusal;
  if (mailMode === "none") return accepted({ message: NO_MAIL_MESSAGE });
  resetLinkQueue
    .run(() => sendResetLinkOrDecoy(email, ip))
    .catch((error: unknown) => logError(error, "mailing a reset link"));
  return accepted({ message: LINK_SENT_MESSAGE });
}

/** Resolves when all requests received so far are processed. */
export function drainResetLinkQueue(): Promise<void> {
  return resetLinkQueue.waitUntilDrained();
}

/**
 * Sends the link. For an address without an account, or at its limit, writes the same rows and a message that is
 * deleted instead of sent, so that the server's load reveals nothing. That message counts toward no limit.
 */
async function sendResetLinkOrDecoy(email: string, ip: string): Promise<void> {
  const account = await db.user.findFirst({
    where: { email, isAdmin: false, closedAt: null },
    select: { id: true, email: true, firstName: true, emailConfirmedAt: true, isAdmin: true },
  });
  const user = account && (await consumeLinkLimits(account, ip)) ? account : null;
  await inTransaction(async (transaction) => {
    const { secretPath, expiresAt } = await replaceResetLink(transaction, user?.id ?? null, { isMailed: true });
    const subjectKey = `link ${hashSecretToken(secretPath)}`;
    const message = {
      event: "password-reset" as const,
      subjectKey,
      content: passwordResetContent(
        toRecipientProfile(user ?? { firstName: "", emailConfirmedAt: null, isAdmin: false }),
      ),
      secretPath,
      expiresAt,
    };
    await enqueueMessage(transaction, user ? { userId: user.id, address: email } : DECOY_RECIPIENT, message);
  });
}

type LinkRecipient = { id: number; email: string; emailConfirmedAt: Date | null };

/**
 * Counts a link; if the address is unconfirmed, for its mailbox too, because another person may have typed it. Returns
 * false at the limit.
 */
async function consumeLinkLimits({ id, email, emailConfirmedAt }: LinkRecipient, ip: string): Promise<boolean> {
  const account = String(id);
  const mailboxRefusal = emailConfirmedAt ? null : await consumeMailboxLimits(email, ip);
  const refusal =
    mailboxRefusal ?? (await accountLinkLimiter.consume(account)) ?? (await dailyAccountLinkLimiter.consume(account));
  return refusal === null;
}

async function consumeMailboxLimits(email: string, ip: string): Promise<Refusal | null> {
  const mailboxNetworkKey = mailboxLimitKey(email, ip);
  return (
    (await mailboxNetworkLinkLimiter.consume(mailboxNetworkKey)) ??
    (await dailyMailboxNetworkLinkLimiter.consume(mailboxNetworkKey)) ??
    (await dailyMailboxLinkLimiter.consume(toRateLimitedMailbox(email)))
  );
}
