import { now } from "../../clock.ts";
import { db, inTransaction, type Transaction } from "../../db/database-client.server.ts";
import { isUniqueViolation } from "../../db/database-errors.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { emailChangeUndoneContent } from "../../mail/messages/email-change-messages.ts";
import { enqueueMessage } from "../../mail/outbox.server.ts";
import { hashSecretToken } from "../../secret-token.server.ts";
import { closeConnectionsOfEndedSessions } from "../close-session-connections.server.ts";
import { revokeAccessForAccountRecovery } from "../revoke-account-access.server.ts";
import { lockAccountRow } from "../lock-account-row.server.ts";
import { createRateLimitedLinkLookup } from "../links/rate-limited-link-lookup.server.ts";
import { replaceResetLink } from "../passwords/password-reset.server.ts";
import { isErasureRequestedSince, cancelPendingErasure } from "./pending-erasure.server.ts";
import { emailTakenRefusal, storeConfirmedEmail } from "./store-confirmed-email.server.ts";

const linkExpiredRefusal = refused(
  "gone",
  "This link has expired: it was used or ended, or is more than seven days old. Please call us.",
);

const findLinkWithRateLimit = createRateLimitedLinkLookup("undo-email-change", linkExpiredRefusal);

type UndoneEmailChange = {
  userId: number;
  /** Path at which a family chooses a new password; null for the consultant, whose password is set on the server. */
  resetPath: string | null;
};

/** What using a link does: the address that it restores, and whether it cancels the deletion of the account. */
type UndoLink = { email: string; cancelsErasure: boolean };

/**
 * Checks whether a link can still undo a change, and returns what it does. Refusals: gone; tooMany, after too many
 * wrong links from one `ip`.
 */
export async function checkUndoLink(token: string, ip: string): Promise<Outcome<UndoLink>> {
  const where = { undoTokenHash: hashSecretToken(token), undoUntil: { gt: now() } };
  const link = await findLinkWithRateLimit({ ip, sid: null }, () =>
    db.emailChange.findFirst({ where, select: { oldEmail: true, userId: true, changedAt: true } }),
  );
  if (!link.ok) return link;
  const { oldEmail: email, userId, changedAt } = link.value;
  return accepted({ email, cancelsErasure: await isErasureRequestedSince(userId, changedAt) });
}

/**
 * Restores the address that an account had before a change, whatever it has been changed to since. Invalidates the
 * links of later changes and the password, and revokes other access of the person who changed the address
 * (`revokeAccessForAccountRecovery`); cancels a deletion that was requested since. The holder of the link reads mail at that address,
 * and may choose a new password. Refusals: gone, tooMany, conflict (another account has the address).
 */
export async function undoEmailChange(token: string, ip: string): Promise<Outcome<UndoneEmailChange>> {
  const link = await checkUndoLink(token, ip);
  if (!link.ok) return link;
  const undone = await consumeUndoLink(hashSecretToken(token)).catch((error: unknown) => {
    if (isUniqueViolation(error, "email")) return emailTakenRefusal;
    throw error;
  });
  if (undone.ok) await closeConnectionsOfEndedSessions(undone.value.userId);
  return undone;
}

function consumeUndoLink(undoTokenHash: string): Promise<Outcome<UndoneEmailChange>> {
  return inTransaction(async (transaction) => {
    const row = await transaction.emailChange.findUnique({ where: { undoTokenHash } });
    if (!row || !(await lockAccountRow(transaction, row.userId, { isOpen: true }))) return linkExpiredRefusal;
    const { id, userId, oldEmail, changedAt } = row;
    const used = await transaction.emailChange.deleteMany({ where: { id, undoTokenHash } });
    if (used.count === 0) return linkExpiredRefusal;
    await transaction.emailChange.deleteMany({ where: { userId, id: { gt: id } } });
    const select = { email: true, isAdmin: true } as const;
    const { email, isAdmin } = await transaction.user.findUniqueOrThrow({ where: { id: userId }, select });
    await storeConfirmedEmail(transaction, { userId, email: oldEmail, action: "email-change-undone" });
    await revokeAccessForAccountRecovery(transaction, userId, { compromisedAt: changedAt });
    if (await isErasureRequestedSince(userId, changedAt, transaction))
      await cancelPendingErasure(transaction, userId, { canceledBy: "undo", actorId: userId });
    if (email !== oldEmail) await notifyRemovedEmail(transaction, { userId, email, undoTokenHash });
    // `isMailed` is false, because a mailed link ends when anyone requests another.
    const reset = isAdmin ? null : await replaceResetLink(transaction, userId, { isMailed: false });
    return accepted({ userId, resetPath: reset?.secretPath ?? null });
  });
}

async function notifyRemovedEmail(
  transaction: Transaction,
  { userId, email, undoTokenHash }: { userId: number; email: string; undoTokenHash: string },
): Promise<void> {
  const message = {
    event: "email-changed" as const,
    subjectKey: `undone ${undoTokenHash}`,
    content: emailChangeUndoneContent(),
  };
  await enqueueMessage(transaction, { userId, address: email }, message);
}
