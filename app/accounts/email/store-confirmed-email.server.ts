import { recordAuditInTransaction } from "../../audit/record.server.ts";
import { now } from "../../clock.ts";
import { db, type Transaction } from "../../db/client.server.ts";
import { refused } from "../../http/outcome.ts";
import { redirectPendingMail } from "../../mail/redirect-mail.server.ts";

/** The refusal of a link whose address another account took first. */
export const emailTakenRefusal = refused("conflict", "Another account has this email address by now. Please call us.");

type ConfirmedHandler = (transaction: Transaction, confirmed: { userId: number; email: string }) => Promise<unknown>;
const confirmedHandlers: ConfirmedHandler[] = [];

/** Runs `handler` in the transaction that confirms a family's address, to add records that belong to its owner. */
export function registerEmailConfirmedHandler(handler: ConfirmedHandler): void {
  confirmedHandlers.push(handler);
}

type ConfirmedEmail = {
  userId: number;
  email: string;
  /** The cause, for the access log. */
  action?: "email-confirmed" | "email-changed" | "email-change-undone";
};

/**
 * Makes `email` the confirmed address of an account, and adds the records that belong to its owner. Every confirmation
 * link of the account ends: one that was made before would later bring another address back.
 */
export async function storeConfirmedEmail(
  transaction: Transaction,
  { userId, email, action = "email-confirmed" }: ConfirmedEmail,
): Promise<void> {
  await transaction.emailConfirmation.deleteMany({ where: { userId } });
  const data = { email, emailConfirmedAt: now() };
  const { isAdmin } = await transaction.user.update({ where: { id: userId }, data, select: { isAdmin: true } });
  recordAuditInTransaction(transaction, {
    action,
    actorId: userId,
    familyId: isAdmin ? null : userId,
    objectId: userId,
  });
  await redirectPendingMail(transaction, userId, email);
  if (!isAdmin) for (const handle of confirmedHandlers) await handle(transaction, { userId, email });
}

/** The open client account with a confirmed address that was made before `madeBefore`; null without one. */
export async function findConfirmedAccount(email: string, madeBefore: Date): Promise<number | null> {
  const account = await db.user.findFirst({
    where: { email, emailConfirmedAt: { not: null }, createdAt: { lte: madeBefore }, isAdmin: false, closedAt: null },
    select: { id: true },
  });
  return account?.id ?? null;
}
