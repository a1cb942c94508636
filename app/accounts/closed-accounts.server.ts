import { recordAuditInTransaction } from "../audit/record.server.ts";
import { now } from "../clock.ts";
import { inTransaction } from "../db/client.server.ts";
import { dropMailOfClosedAccount } from "../mail/drop-messages.server.ts";
import { revokeSessionsAndLinks, lockAccountRow, recoverAccount } from "./account-access.server.ts";
import { closeConnectionsOfEndedSessions } from "./ended-sessions.server.ts";
import type { Person } from "./person.ts";

/**
 * Closes a family's account: it can't sign in, and its sessions and reset links end. Idempotent. False when there is no
 * such family.
 */
export async function closeAccount(admin: Person, userId: number): Promise<boolean> {
  if (!admin.isAdmin) throw new Error("Only the administrator closes an account.");
  const isClosed = await inTransaction(async (transaction) => {
    await lockAccountRow(transaction, userId);
    const family = { id: userId, isAdmin: false };
    const { count } = await transaction.user.updateMany({
      where: { ...family, closedAt: null },
      data: { closedAt: now() },
    });
    if (count === 0) return (await transaction.user.count({ where: family })) === 1;
    await revokeSessionsAndLinks(transaction, userId);
    await dropMailOfClosedAccount(transaction, userId);
    recordAuditInTransaction(transaction, { action: "account-closed", familyId: userId, objectId: userId });
    return true;
  });
  if (isClosed) await closeConnectionsOfEndedSessions(userId);
  return isClosed;
}

/**
 * Opens a closed account again; its owner takes it back with a new password, by a link. It may have been closed because
 * somebody else had got hold of it. Idempotent. False when there is no such family.
 */
export async function reopenAccount(admin: Person, userId: number): Promise<boolean> {
  if (!admin.isAdmin) throw new Error("Only the administrator opens an account.");
  return inTransaction(async (transaction) => {
    await lockAccountRow(transaction, userId);
    const family = { id: userId, isAdmin: false };
    const { count } = await transaction.user.updateMany({
      where: { ...family, closedAt: { not: null } },
      data: { closedAt: null },
    });
    if (count === 0) return (await transaction.user.count({ where: family })) === 1;
    await recoverAccount(transaction, userId);
    recordAuditInTransaction(transaction, { action: "account-reopened", familyId: userId, objectId: userId });
    return true;
  });
}
