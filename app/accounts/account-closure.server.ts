import { assertAdministrator, familyNotFoundRefusal } from "./authorization.server.ts";
import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { now } from "../clock.ts";
import { inTransaction } from "../db/database-client.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { dropMailObsoleteAfterClosing } from "../mail/drop-messages.server.ts";
import { revokeSessionsAndLinks, revokeAccessForAccountRecovery } from "./revoke-account-access.server.ts";
import { lockAccountRow } from "./lock-account-row.server.ts";
import { closeConnectionsOfEndedSessions } from "./close-session-connections.server.ts";
import type { Person } from "./person.ts";

/** Closing the account would prevent the family from signing in to keep it. */
export const erasureScheduledRefusal = refused(
  "conflict",
  "This account is scheduled to be deleted, so it can’t be closed: the family couldn’t sign in to keep it. To close it, keep the account first.",
);

/**
 * Closes a family's account: the family can't sign in, and its sessions and reset links end. Idempotent. Refusals:
 * notFound; conflict, while the account is scheduled for deletion.
 */
export async function closeAccount(admin: Person, userId: number): Promise<Outcome<null>> {
  assertAdministrator(admin);
  const outcome = await inTransaction(async (transaction): Promise<Outcome<null>> => {
    const family = { id: userId, isAdmin: false };
    if (!(await lockAccountRow(transaction, userId, { hasNoErasureRequest: true, isFamily: true })))
      return (await transaction.user.count({ where: family })) === 1
        ? erasureScheduledRefusal
        : familyNotFoundRefusal();
    const { count } = await transaction.user.updateMany({
      where: { ...family, closedAt: null },
      data: { closedAt: now() },
    });
    if (count === 0) return accepted(null);
    await revokeSessionsAndLinks(transaction, userId);
    await dropMailObsoleteAfterClosing(transaction, userId);
    recordAuditInTransaction(transaction, { action: "account-closed", familyId: userId, objectId: userId });
    return accepted(null);
  });
  if (outcome.ok) await closeConnectionsOfEndedSessions(userId);
  return outcome;
}

/**
 * Reopens a closed account. The owner recovers it by choosing a new password with a link, because the account may have
 * been closed after another person got access to it. Idempotent. Refusals: notFound; conflict, once its erasure has begun.
 */
export async function reopenAccount(admin: Person, userId: number): Promise<Outcome<null>> {
  assertAdministrator(admin);
  return inTransaction(async (transaction): Promise<Outcome<null>> => {
    await lockAccountRow(transaction, userId);
    const family = { id: userId, isAdmin: false };
    if ((await transaction.user.count({ where: { ...family, eraseAfter: { lte: now() } } })) > 0)
      return refused("conflict", "This account is being deleted, so it can’t be opened again.");
    const { count } = await transaction.user.updateMany({
      where: { ...family, closedAt: { not: null } },
      data: { closedAt: null },
    });
    if (count === 0)
      return (await transaction.user.count({ where: family })) === 1 ? accepted(null) : familyNotFoundRefusal();
    await revokeAccessForAccountRecovery(transaction, userId);
    recordAuditInTransaction(transaction, { action: "account-reopened", familyId: userId, objectId: userId });
    return accepted(null);
  });
}
