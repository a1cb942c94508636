import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { now } from "../clock.ts";
import { inTransaction, type Transaction } from "../db/database-client.server.ts";
import { DAY_MS } from "../time-units.ts";
import { revokeMailedLinks } from "../mail/outbox.server.ts";
import { type AccountConditions, lockAccountRow } from "./lock-account-row.server.ts";
import { RECENTLY_ADDED_ACCESS_DAYS } from "./recently-added-access-days.ts";
import { resetCancellationCountIfDue } from "./cancellation-count.server.ts";
import { closeConnectionsOfEndedSessions } from "./close-session-connections.server.ts";
import { revokeLinksAndNotifyPasswordChanged } from "./email/account-notifications.server.ts";
import { createUnusableHash } from "./passwords/unusable-hash.server.ts";
import { deleteRecoveryCodesWithoutFactor } from "./second-factor/recovery-codes.server.ts";

/** Prisma filter for accounts not due for erasure. Due ones count as erased even before the job has run. */
export function notDueForErasureCondition() {
  return { OR: [{ eraseAfter: null }, { eraseAfter: { gt: now() } }] };
}

/** `exceptSid`: the session to keep. */
type RevokeAccessOptions = { exceptSid?: string | undefined; preservesConsultantLinks?: true };

/**
 * Deletes an account's sessions except `exceptSid`, its reset links, and a pending link to another address.
 * `preservesConsultantLinks` keeps the reset link that the consultant gave: an action that only needs the password,
 * which another person may know, must not delete it. Links that undo a change of address are kept for owners who lost
 * the account. A sign-in in progress, with what was valid before, is refused (`accessVersion`). After the commit the
 * caller calls `closeConnectionsOfEndedSessions`, which closes the sockets.
 */
export async function revokeSessionsAndLinks(
  transaction: Transaction,
  userId: number,
  { exceptSid, preservesConsultantLinks }: RevokeAccessOptions = {},
): Promise<void> {
  await transaction.user.updateMany({ where: { id: userId }, data: { accessVersion: { increment: 1 } } });
  await transaction.passwordReset.deleteMany({
    where: preservesConsultantLinks ? { userId, isMailed: true } : { userId },
  });
  await transaction.emailConfirmation.deleteMany({ where: { userId, isChange: true } });
  await transaction.session.deleteMany({ where: exceptSid ? { userId, NOT: { sid: exceptSid } } : { userId } });
}

/** Deletes the authenticator app of an account, and its recovery codes if nothing else needs them. */
export async function deleteSecondFactor(transaction: Transaction, userId: number): Promise<void> {
  const { count } = await transaction.secondFactor.deleteMany({ where: { userId } });
  if (count > 0)
    recordAuditInTransaction(transaction, { action: "second-factor-turned-off", familyId: userId, objectId: userId });
  await deleteRecoveryCodesWithoutFactor(transaction, userId);
}

/** Deletes all passkeys of an account, or with `since` those added from then on except `exceptId`. */
async function deletePasskeys(
  transaction: Transaction,
  userId: number,
  since?: Date,
  exceptId?: number,
): Promise<void> {
  const where = since ? { userId, createdAt: { gte: since }, NOT: { id: exceptId ?? 0 } } : { userId };
  const { count } = await transaction.passkey.deleteMany({ where });
  if (count > 0)
    recordAuditInTransaction(transaction, { action: "passkey-removed", familyId: userId, objectId: userId });
}

type AccessRevocationHandler = (transaction: Transaction, userId: number, since?: Date) => Promise<unknown>;
const accessRevocationHandlers: AccessRevocationHandler[] = [];

/**
 * Registers `handler` for the transaction that resets or changes a password. It revokes other access to the account;
 * with `since`, only what was added from then on.
 */
export function registerAccessRevocationHandler(handler: AccessRevocationHandler): void {
  accessRevocationHandlers.push(handler);
}

/** How long before its recovery, or a change of its address, another person may have had access to an account. */
export const COMPROMISE_WINDOW_MS = 7 * DAY_MS;
const LINK_MAIL_EVENTS = ["password-reset", "confirm-email", "email-change-requested"] as const;

type RecoverAccountOptions = {
  /** When another person got access to the account (UTC); defaults to now. */
  compromisedAt?: Date;
  /** The hash of the password that the owner chose. Without it, no password works until the owner chooses one. */
  passwordHash?: string;
  /** Keeps the reset link that the consultant gave. */
  preservesConsultantLinks?: true | undefined;
  /**
   * For a person who lost the second factor: also ends an administrator's second factor, and older authenticator apps.
   */
  endsSecondFactor?: true | undefined;
};

/**
 * Deletes the passkeys that were added from `since` on, possibly by another person. Keeps the oldest passkey of an
 * administrator without an authenticator app, because it is the second factor.
 */
async function deleteRecentPasskeys(
  transaction: Transaction,
  { userId, isAdmin }: { userId: number; isAdmin: boolean },
  since: Date,
): Promise<void> {
  const authenticatorAppCount = isAdmin
    ? await transaction.secondFactor.count({ where: { userId, confirmedAt: { not: null } } })
    : 1;
  const oldest =
    authenticatorAppCount > 0
      ? null
      : await transaction.passkey.findFirst({ where: { userId }, orderBy: { id: "asc" } });
  await deletePasskeys(transaction, userId, since, oldest?.id);
}

/** Returns the instant that is `RECENTLY_ADDED_ACCESS_DAYS` before `until` (UTC). */
function recentAccessCutoff(until: Date): Date {
  return new Date(until.getTime() - RECENTLY_ADDED_ACCESS_DAYS * DAY_MS);
}

/**
 * Gives an account back to its owner after another person may have had access: by the link sent to its earlier address,
 * by a reset link, or by a link from the consultant. Revokes:
 * - the password, all sessions, and sign-ins that wait for a code;
 * - links that set a password or confirm an address, and calendar links;
 * - passkeys: all of a family's; of an administrator's those of the last 30 days (without an authenticator app, the
 *   oldest is kept if it is older than a week), because a link alone must not end a second factor;
 * - an authenticator app of the last week with its recovery codes; at any age if the address is not confirmed, because
 *   another person may have registered with it and would otherwise keep the owner of the address out.
 * The caller locks the account's row first, and calls `closeConnectionsOfEndedSessions` after the commit.
 */
export async function revokeAccessForAccountRecovery(
  transaction: Transaction,
  userId: number,
  {
    compromisedAt = now(),
    passwordHash = createUnusableHash(),
    preservesConsultantLinks,
    endsSecondFactor,
  }: RecoverAccountOptions = {},
): Promise<void> {
  const { isAdmin, emailConfirmedAt } = await transaction.user.update({
    where: { id: userId },
    data: { password: passwordHash },
    select: { isAdmin: true, emailConfirmedAt: true },
  });
  await resetCancellationCountIfDue(transaction, userId);
  await revokeSessionsAndLinks(transaction, userId, { preservesConsultantLinks });
  await transaction.emailConfirmation.deleteMany({ where: { userId } });
  for (const event of LINK_MAIL_EVENTS) await revokeMailedLinks(transaction, userId, event);
  for (const handle of accessRevocationHandlers) await handle(transaction, userId);
  const start = new Date(compromisedAt.getTime() - COMPROMISE_WINDOW_MS);
  const deletesAllPasskeys = endsSecondFactor === true || !isAdmin;
  await deletePasskeys(transaction, userId, deletesAllPasskeys ? undefined : start);
  if (!deletesAllPasskeys)
    await deleteRecentPasskeys(transaction, { userId, isAdmin }, recentAccessCutoff(compromisedAt));
  const endsAuthenticatorApp = endsSecondFactor === true || (!emailConfirmedAt && !isAdmin);
  const authenticatorAppCondition = endsAuthenticatorApp
    ? { userId }
    : { userId, OR: [{ confirmedAt: null }, { confirmedAt: { gte: start } }] };
  if ((await transaction.secondFactor.count({ where: authenticatorAppCondition })) > 0)
    await deleteSecondFactor(transaction, userId);
  else await deleteRecoveryCodesWithoutFactor(transaction, userId);
}

type ChangePasswordOptions = {
  /** The password hash that the account must still have. */
  expectedPasswordHash?: string;
  /** Hash of the reset link to use up. If the link is no longer valid, the password is not changed. */
  resetTokenHash?: string;
  /** The session that changes the password; it is kept. */
  exceptSid?: string | undefined;
  /** Keeps passkeys and a calendar link that were added in the last 30 days. */
  preservesRecentAccess?: boolean;
  /** Set from the command line for a person who lost the second factor: also deletes the passkeys. */
  endsSecondFactor?: true;
};

/**
 * Sets an account's password and ends all other access to it in one transaction. With a reset link, or from the command
 * line, this recovers the account (`revokeAccessForAccountRecovery`). The link of a required change ends all sessions, but preserves
 * what was added, because its person has just given all that a sign-in needs. Returns the account's new version, or null
 * if the hash or link has changed or the session has ended.
 */
export async function changePasswordAndRevokeAccess(
  userId: number,
  passwordHash: string,
  {
    expectedPasswordHash,
    resetTokenHash,
    exceptSid,
    preservesRecentAccess,
    endsSecondFactor,
  }: ChangePasswordOptions = {},
): Promise<{ accessVersion: number } | null> {
  const updatedUser = await inTransaction(async (transaction) => {
    const state: AccountConditions = resetTokenHash
      ? { isOpen: true }
      : { passwordHash: expectedPasswordHash, sid: exceptSid };
    if (!(await lockAccountRow(transaction, userId, state))) return null;
    const resetLink = resetTokenHash ? await consumeResetLink(transaction, userId, resetTokenHash) : null;
    if (resetTokenHash && !resetLink) return null;
    const requiredVersion = resetLink?.accessVersion ?? null;
    const isRequiredChange = requiredVersion !== null;
    if (isRequiredChange && !(await lockAccountRow(transaction, userId, { accessVersion: requiredVersion })))
      return null;
    // The holder of the link is the owner of the account.
    const actor = resetLink ? { actorId: userId } : {};
    recordAuditInTransaction(transaction, { action: "password-changed", familyId: userId, objectId: userId, ...actor });
    if ((resetLink && !isRequiredChange) || endsSecondFactor) {
      const preservesConsultantLinks = resetLink?.isMailed || undefined;
      await revokeAccessForAccountRecovery(transaction, userId, {
        passwordHash,
        preservesConsultantLinks,
        endsSecondFactor,
      });
    } else {
      const data = { password: passwordHash };
      const { isAdmin } = await transaction.user.update({ where: { id: userId }, data, select: { isAdmin: true } });
      await resetCancellationCountIfDue(transaction, userId);
      await revokeSessionsAndLinks(transaction, userId, { exceptSid, preservesConsultantLinks: true });
      if (!preservesRecentAccess && !isRequiredChange) {
        const since = recentAccessCutoff(now());
        for (const handle of accessRevocationHandlers) await handle(transaction, userId, since);
        await deleteRecentPasskeys(transaction, { userId, isAdmin }, since);
        await deleteRecoveryCodesWithoutFactor(transaction, userId);
      }
    }
    await revokeLinksAndNotifyPasswordChanged(transaction, userId);
    return transaction.user.findUniqueOrThrow({ where: { id: userId }, select: { accessVersion: true } });
  });
  if (updatedUser) await closeConnectionsOfEndedSessions(userId);
  return updatedUser;
}

/** Deletes a reset link and returns it; returns null if it was used in the meantime. */
async function consumeResetLink(transaction: Transaction, userId: number, tokenHash: string) {
  const link = await transaction.passwordReset.findFirst({
    where: { tokenHash, userId },
    select: { isMailed: true, accessVersion: true },
  });
  const { count } = await transaction.passwordReset.deleteMany({ where: { tokenHash, userId } });
  return count === 1 ? link : null;
}
