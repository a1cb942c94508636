import { recordAudit } from "../../audit/record.server.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, type Transaction } from "../../db/client.server.ts";
import { isUniqueViolation } from "../../db/errors.server.ts";
import { DAY_MS, MINUTE_SECONDS } from "../../duration.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { networkLimit } from "../../http/rate-limit.server.ts";
import { accountMade } from "../../mail/messages/account-messages.ts";
import { enqueueMessage } from "../../mail/outbox.server.ts";
import { lockAccountRow } from "../account-access.server.ts";
import { createSecretToken, hashSecretToken } from "../../secret-token.server.ts";

const LINK_DAYS = 7;

const wrongTokens = networkLimit("confirm-email", 20, 15 * MINUTE_SECONDS);

const linkGone = refused("gone", "This link was used already or is more than seven days old.");
const emailTaken = refused("conflict", "Another account has this email address by now. Please call us.");

type ConfirmedHandler = (transaction: Transaction, confirmed: { userId: number; email: string }) => Promise<unknown>;
const confirmedHandlers: ConfirmedHandler[] = [];

/** Runs `handler` in the transaction that confirms an address, for what else belongs to its owner now. */
export function registerEmailConfirmedHandler(handler: ConfirmedHandler): void {
  confirmedHandlers.push(handler);
}

type NewAccount = { id: number; email: string };

/** Sends a new account the link that confirms its address, in the transaction that makes the account. */
export async function notifyAccountMade(transaction: Transaction, { id, email }: NewAccount): Promise<void> {
  const { secretPath, expiresAt } = await createConfirmationLink(transaction, id, email);
  const message = {
    event: "account-made" as const,
    about: "its making",
    content: accountMade(),
    secretPath,
    expiresAt,
  };
  await enqueueMessage(transaction, { userId: id, address: email }, message);
}

/** Creates the one confirmation link of an account, for `email`: it works once, within seven days. */
export async function createConfirmationLink(transaction: Transaction, userId: number, email: string) {
  const token = createSecretToken();
  const expiresAt = new Date(now().getTime() + LINK_DAYS * DAY_MS);
  await transaction.emailConfirmation.deleteMany({ where: { userId } });
  await transaction.emailConfirmation.create({
    data: { tokenHash: hashSecretToken(token), userId, email, expiresAt, createdAt: now() },
  });
  return { secretPath: `/confirm-email/${token}`, expiresAt };
}

/** Whether a link is still valid. Refusals: gone; tooMany, after 20 wrong ones in 15 minutes from one `ip`. */
export async function checkConfirmationLink(
  token: string,
  ip: string,
): Promise<Outcome<{ email: string; userId: number }>> {
  const tooMany = await wrongTokens.peek(ip);
  if (tooMany) return tooMany;
  const row = await db.emailConfirmation.findUnique({ where: { tokenHash: hashSecretToken(token) } });
  if (row && row.expiresAt > now()) return accepted({ email: row.email, userId: row.userId });
  return (await wrongTokens.consume(ip)) ?? linkGone;
}

/**
 * Records that the address of a link is its account's, or makes it so where the person had asked for another address,
 * and uses the link up. Refusals: gone, tooMany, conflict (another account has the address).
 */
export async function confirmEmail(token: string, ip: string): Promise<Outcome<{ email: string }>> {
  const link = await checkConfirmationLink(token, ip);
  if (!link.ok) return link;
  const tokenHash = hashSecretToken(token);
  try {
    return await inTransaction(async (transaction) => {
      const row = await transaction.emailConfirmation.findUnique({ where: { tokenHash } });
      if (!row || !(await lockAccountRow(transaction, row.userId, { isOpen: true }))) return linkGone;
      const { userId, email } = row;
      if ((await transaction.emailConfirmation.deleteMany({ where: { tokenHash } })).count === 0) return linkGone;
      await storeConfirmedEmail(transaction, { userId, email });
      return accepted({ email });
    });
  } catch (error) {
    if (isUniqueViolation(error, "email")) return emailTaken;
    throw error;
  }
}

/** Makes `email`, which its owner has shown to read, the confirmed address of an account, with what else belongs to it. */
export async function storeConfirmedEmail(
  transaction: Transaction,
  { userId, email }: { userId: number; email: string },
): Promise<void> {
  const data = { email, emailConfirmedAt: now() };
  await transaction.user.update({ where: { id: userId }, data, select: { id: true } });
  recordAudit(transaction, { action: "email-confirmed", actorId: userId, familyId: userId, objectId: userId });
  for (const handle of confirmedHandlers) await handle(transaction, { userId, email });
}

/** The open client account with a confirmed address that was made before `madeBefore`; null without one. */
export async function findConfirmedAccount(email: string, madeBefore: Date): Promise<number | null> {
  const account = await db.user.findFirst({
    where: { email, emailConfirmedAt: { not: null }, createdAt: { lte: madeBefore }, isAdmin: false, closedAt: null },
    select: { id: true },
  });
  return account?.id ?? null;
}
