import { recordAuditInTransaction } from "../audit/record.server.ts";
import { sqltag as sql } from "@prisma/client/runtime/client";
import { now } from "../clock.ts";
import { inTransaction, type Transaction } from "../db/client.server.ts";
import { DAY_MS } from "../duration.ts";
import { revokeMailedLinks } from "../mail/outbox.server.ts";
import { ADDED_ACCESS_DAYS } from "./added-access-days.ts";
import { restartCancellationCount } from "./cancellation-count.server.ts";
import { closeConnectionsOfEndedSessions } from "./ended-sessions.server.ts";
import { notifyPasswordChanged } from "./email/account-notifications.server.ts";
import { createUnusableHash } from "./passwords/unusable-hash.server.ts";
import { deleteUnusedRecoveryCodes } from "./second-factor/recovery-codes.server.ts";

type AccountState = {
  /** The current password hash of the account. */
  hash?: string;
  /** The account is not closed. */
  isOpen?: true;
  /** The family has not asked for its erasure. */
  hasNoErasureRequest?: true;
  /** The account is not the administrator's. */
  isFamily?: true;
  /** This session of the account has not ended. */
  sid?: string | undefined;
};

/**
 * The condition on accounts that are not to be erased yet: afterwards they count as erased, also before the job has
 * run.
 */
export function notDueForErasureCondition() {
  return { OR: [{ eraseAfter: null }, { eraseAfter: { gt: now() } }] };
}

/**
 * Locks an account's row. Runs first in every transaction that grants or ends access to the account, books for it or
 * adds to its records, so that concurrent ones run one after the other and none refers to an account that is being
 * erased. False when there is no account in that state.
 */
export async function lockAccountRow(
  transaction: Transaction,
  userId: number,
  { hash, isOpen, hasNoErasureRequest: hasNoErasureRequested, isFamily, sid }: AccountState = {},
): Promise<boolean> {
  const hasHash = hash ? sql`"password" = ${hash}` : sql`1 = 1`;
  const isNotClosed = isOpen ? sql`"closedAt" IS NULL` : sql`1 = 1`;
  const erasureCondition = hasNoErasureRequested ? sql`"eraseAfter" IS NULL` : sql`1 = 1`;
  const isNotAdmin = isFamily ? sql`NOT "isAdmin"` : sql`1 = 1`;
  const count = await transaction.$executeRaw(
    sql`UPDATE "users" SET "email" = "email"
      WHERE "id" = ${userId} AND ${hasHash} AND ${isNotClosed} AND ${erasureCondition} AND ${isNotAdmin}`,
  );
  if (count !== 1 || sid === undefined) return count === 1;
  // A statement of its own: one that waits for the row's lock sees the other tables as they were before.
  return (await transaction.session.count({ where: { sid, userId } })) === 1;
}

/** `exceptSid`: the session that stays. */
type RevokeAccessOptions = { exceptSid?: string | undefined; preservesConsultantLinks?: true };

/**
 * Deletes all sessions of an account except one, its reset links, and the link to another address that it asked for.
 * `preservesConsultantLinks`: not the reset link that the consultant gave, because what is done with a password that somebody else
 * may know must not end it. Links that undo a change of address stay, because an owner who lost the account needs them.
 * After the commit the caller calls `closeConnectionsOfEndedSessions`, which closes their sockets.
 */
export async function revokeSessionsAndLinks(
  transaction: Transaction,
  userId: number,
  { exceptSid, preservesConsultantLinks }: RevokeAccessOptions = {},
): Promise<void> {
  await transaction.passwordReset.deleteMany({
    where: preservesConsultantLinks ? { userId, isMailed: true } : { userId },
  });
  await transaction.emailConfirmation.deleteMany({ where: { userId, isChange: true } });
  await transaction.session.deleteMany({ where: exceptSid ? { userId, NOT: { sid: exceptSid } } : { userId } });
}

/** Deletes the authenticator app of an account, and the recovery codes that nothing else needs. */
export async function deleteSecondFactor(transaction: Transaction, userId: number): Promise<void> {
  const { count } = await transaction.secondFactor.deleteMany({ where: { userId } });
  if (count > 0)
    recordAuditInTransaction(transaction, { action: "second-factor-turned-off", familyId: userId, objectId: userId });
  await deleteUnusedRecoveryCodes(transaction, userId);
}

/** Deletes an account's passkeys, for which the password is not needed; with `since`, those from that instant on, but for `exceptId`. */
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

type AccessRevocation = (transaction: Transaction, userId: number, since?: Date) => Promise<unknown>;
const accessRevocations: AccessRevocation[] = [];

/**
 * Runs `handler` in the transaction that resets or changes a password, to revoke what else gives access to the account;
 * with `since`, what was added from that instant on.
 */
export function registerAccessRevocation(handler: AccessRevocation): void {
  accessRevocations.push(handler);
}

/** How long before an account is taken back, or before its address was changed, somebody else may have had it. */
const COMPROMISE_WINDOW_MS = 7 * DAY_MS;
const MAILED_LINKS = ["password-reset", "confirm-email", "email-change-requested"] as const;

type RecoverAccountOptions = {
  /** Since when somebody else had the account (UTC); without it, since now. */
  since?: Date;
  /** The hash of the password that its owner chose; without it no password signs in until one is chosen. */
  hash?: string;
  /** The reset link that the consultant gave stays. */
  preservesConsultantLinks?: true | undefined;
  /** For whoever lost the second factor: that of an administrator ends too, and older apps. */
  endsSecondFactor?: true | undefined;
};

/**
 * Deletes the passkeys that were added from `since` on, perhaps by somebody else. The oldest passkey of an administrator
 * without an authenticator app stays: it is the second factor.
 */
async function deleteAddedPasskeys(
  transaction: Transaction,
  { userId, isAdmin }: { userId: number; isAdmin: boolean },
  since: Date,
): Promise<void> {
  const appCount = isAdmin
    ? await transaction.secondFactor.count({ where: { userId, confirmedAt: { not: null } } })
    : 1;
  const oldest =
    appCount > 0 ? null : await transaction.passkey.findFirst({ where: { userId }, orderBy: { id: "asc" } });
  await deletePasskeys(transaction, userId, since, oldest?.id);
}

/** What was added before this instant (UTC) is older than `ADDED_ACCESS_DAYS` at `until`. */
function addedAccessStart(until: Date): Date {
  return new Date(until.getTime() - ADDED_ACCESS_DAYS * DAY_MS);
}

/**
 * Returns an account to its owner after somebody else may have had access: by the link to its earlier address, by a reset
 * link, or by a link that the consultant gives. Revoked are:
 * - the password, all sessions, and sign-ins that wait for a code;
 * - links that set a password or confirm an address, and calendar links;
 * - passkeys: all of a family; of an administrator those added in the last month (the oldest one stays if it is older than a
 *   week), because a link alone must not end a second factor;
 * - an authenticator app with its recovery codes that was added in the last week; at any age if nobody has confirmed the
 *   address, because a stranger may have registered with it and would otherwise keep the address's owner out.
 * The caller has locked the account's row, and calls `closeConnectionsOfEndedSessions` after the commit.
 */
export async function recoverAccount(
  transaction: Transaction,
  userId: number,
  {
    since = now(),
    hash = createUnusableHash(),
    preservesConsultantLinks,
    endsSecondFactor,
  }: RecoverAccountOptions = {},
): Promise<void> {
  const { isAdmin, emailConfirmedAt } = await transaction.user.update({
    where: { id: userId },
    data: { password: hash },
    select: { isAdmin: true, emailConfirmedAt: true },
  });
  await restartCancellationCount(transaction, userId);
  await revokeSessionsAndLinks(transaction, userId, { preservesConsultantLinks });
  await transaction.emailConfirmation.deleteMany({ where: { userId } });
  for (const event of MAILED_LINKS) await revokeMailedLinks(transaction, userId, event);
  for (const handle of accessRevocations) await handle(transaction, userId);
  const start = new Date(since.getTime() - COMPROMISE_WINDOW_MS);
  const endsAll = endsSecondFactor === true || !isAdmin;
  await deletePasskeys(transaction, userId, endsAll ? undefined : start);
  if (!endsAll) await deleteAddedPasskeys(transaction, { userId, isAdmin }, addedAccessStart(since));
  const endsAuthenticatorApp = endsSecondFactor === true || (!emailConfirmedAt && !isAdmin);
  const authenticatorApp = endsAuthenticatorApp
    ? { userId }
    : { userId, OR: [{ confirmedAt: null }, { confirmedAt: { gte: start } }] };
  if ((await transaction.secondFactor.count({ where: authenticatorApp })) > 0)
    await deleteSecondFactor(transaction, userId);
  else await deleteUnusedRecoveryCodes(transaction, userId);
}

type ChangePasswordOptions = {
  /** The hash that the account must still have. */
  expected?: string;
  /** The reset link that is used up. The password stays if it is no longer valid. */
  resetTokenHash?: string;
  /** The session that changes the password, and stays. */
  exceptSid?: string | undefined;
  /** Passkeys and a calendar link of the last 30 days stay. */
  preservesAdded?: boolean;
  /** From the command line, for whoever lost the second factor: passkeys end too. */
  endsSecondFactor?: true;
};

/**
 * Sets an account's password and ends all other access to it in one transaction; by a link, or from the command line,
 * its owner takes the account back. False when the account's hash or link has changed meanwhile, or the session has ended.
 */
export async function changePasswordAndRevokeAccess(
  userId: number,
  hash: string,
  { expected, resetTokenHash, exceptSid, preservesAdded, endsSecondFactor }: ChangePasswordOptions = {},
): Promise<boolean> {
  const isReplaced = await inTransaction(async (transaction) => {
    const state: AccountState = resetTokenHash ? { isOpen: true } : { hash: expected, sid: exceptSid };
    if (!(await lockAccountRow(transaction, userId, state))) return false;
    const used = resetTokenHash ? await consumeResetLink(transaction, userId, resetTokenHash) : null;
    if (resetTokenHash && !used) return false;
    // Whoever has the link is the owner of the account.
    const actor = used ? { actorId: userId } : {};
    recordAuditInTransaction(transaction, { action: "password-changed", familyId: userId, objectId: userId, ...actor });
    if (used || endsSecondFactor) {
      const preservesConsultantLinks = used?.isMailed || undefined;
      await recoverAccount(transaction, userId, { hash, preservesConsultantLinks, endsSecondFactor });
    } else {
      const data = { password: hash };
      const { isAdmin } = await transaction.user.update({ where: { id: userId }, data, select: { isAdmin: true } });
      await restartCancellationCount(transaction, userId);
      await revokeSessionsAndLinks(transaction, userId, { exceptSid, preservesConsultantLinks: true });
      if (!preservesAdded) {
        const since = addedAccessStart(now());
        for (const handle of accessRevocations) await handle(transaction, userId, since);
        await deleteAddedPasskeys(transaction, { userId, isAdmin }, since);
        await deleteUnusedRecoveryCodes(transaction, userId);
      }
    }
    await notifyPasswordChanged(transaction, userId);
    return true;
  });
  if (isReplaced) await closeConnectionsOfEndedSessions(userId);
  return isReplaced;
}

/** Deletes a reset link; null when it was used meanwhile. */
async function consumeResetLink(transaction: Transaction, userId: number, tokenHash: string) {
  const link = await transaction.passwordReset.findFirst({ where: { tokenHash, userId }, select: { isMailed: true } });
  const { count } = await transaction.passwordReset.deleteMany({ where: { tokenHash, userId } });
  return count === 1 ? link : null;
}
