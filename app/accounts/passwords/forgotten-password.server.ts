import { db, inTransaction } from "../../db/client.server.ts";
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../duration.ts";
import { logError } from "../../http/errors.server.ts";
import { accepted, type Outcome } from "../../http/outcome.ts";
import { networkLimit, rateLimit } from "../../http/rate-limit.server.ts";
import { passwordResetContent } from "../../mail/messages/account-messages.ts";
import { enqueueMessage, DECOY_RECIPIENT } from "../../mail/outbox.server.ts";
import { SerialQueue } from "../../serial-queue.ts";
import { toAddressee } from "../email/notify.server.ts";
import { replaceResetLink } from "./password-reset.server.ts";
import { hashSecretToken } from "../../secret-token.server.ts";

export const LINK_SENT =
  "If there is an account with this address, an email with a link is on its way. It works for one hour. Nothing there? Check your spam folder, or call us.";

const requestsOfNetwork = networkLimit("forgot-password", 5, 15 * MINUTE_SECONDS);
const mailsOfAccount = rateLimit("forgot-password-account", 3, HOUR_SECONDS);
const dailyMailsOfAccount = rateLimit("forgot-password-account-day", 9, DAY_SECONDS);

const pending = new SerialQueue();

/**
 * Mails the link with which the account of an address chooses a new password: one hour, once, at most three in an hour
 * and nine in a day. The administrator's password is set on the machine. The outcome is the same for every address, and
 * comes before the account is looked up; what is done after it takes the same time, so that nothing tells whether there
 * is one. Refusal: tooMany, for the network.
 */
export async function requestResetLink(email: string, ip: string): Promise<Outcome<{ message: string }>> {
  const tooMany = await requestsOfNetwork.consume(ip);
  if (tooMany) return tooMany;
  pending.run(() => sendResetLink(email)).catch((error: unknown) => logError(error, "mailing a reset link"));
  return accepted({ message: LINK_SENT });
}

/** Resolves when all requests so far are processed. */
export function finishResetLinkMails(): Promise<void> {
  return pending.drained();
}

/**
 * An address without an account gets the same rows, and a message that is deleted instead of being sent: whoever
 * measures how busy the server is after the answer learns nothing.
 */
async function sendResetLink(email: string): Promise<void> {
  if ((await mailsOfAccount.consume(email)) ?? (await dailyMailsOfAccount.consume(email))) return;
  const user = await db.user.findFirst({
    where: { email, isAdmin: false, closedAt: null },
    select: { id: true, firstName: true, emailConfirmedAt: true },
  });
  await inTransaction(async (transaction) => {
    const { secretPath, expiresAt } = await replaceResetLink(transaction, user?.id ?? null, { isMailed: true });
    const about = `link ${hashSecretToken(secretPath)}`;
    const message = {
      event: "password-reset" as const,
      about,
      content: passwordResetContent(toAddressee(user ?? { firstName: "", emailConfirmedAt: null })),
      secretPath,
      expiresAt,
    };
    await enqueueMessage(transaction, user ? { userId: user.id, address: email } : DECOY_RECIPIENT, message);
  });
}
