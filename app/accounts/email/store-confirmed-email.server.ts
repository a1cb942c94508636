import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { db, type Transaction } from "../../db/database-client.server.ts";
import { refused } from "../../http/outcome.ts";
import { redirectUndeliveredMail } from "../../mail/redirect-mail.server.ts";

/** Refusal for a link whose address another account has taken in the meantime. */
export const emailTakenRefusal = refused("conflict", "Another account now uses this email address. Please call us.");

type EmailConfirmedHandler = (
  transaction: Transaction,
  confirmed: { userId: number; email: string },
) => Promise<unknown>;
const emailConfirmedHandlers: EmailConfirmedHandler[] = [];

/**
 * Registers `handler` to run in the transaction that confirms a family's address. It adds records that belong to the
 * owner of the address.
 */
export function registerEmailConfirmedHandler(handler: EmailConfirmedHandler): void {
  emailConfirmedHandlers.push(handler);
}

type ConfirmedEmail = {
  userId: number;
  email: string;
  /** The action recorded in the access log. */
  action?: "email-confirmed" | "email-changed" | "email-change-undone";
};

/**
 * Makes `email` the confirmed address of an account, and adds the records that belong to its owner. Deletes every
 * confirmation link of the account, because an earlier one could later restore another address.
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
  await redirectUndeliveredMail(transaction, userId, email);
  if (!isAdmin) for (const handle of emailConfirmedHandlers) await handle(transaction, { userId, email });
}

/**
 * Returns the id of the open client account that has this confirmed address and was created before or at `createdBefore`;
 * null if there is none.
 */
export async function findClientIdByConfirmedEmail(email: string, createdBefore: Date): Promise<number | null> {
  const account = await db.user.findFirst({
    where: {
      email,
      emailConfirmedAt: { not: null },
      createdAt: { lte: createdBefore },
      isAdmin: false,
      closedAt: null,
    },
    select: { id: true },
  });
  return account?.id ?? null;
}
