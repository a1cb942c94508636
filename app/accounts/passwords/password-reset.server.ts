import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, type Transaction } from "../../db/database-client.server.ts";
import { HOUR_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { accepted, invalidField, type Outcome, refused } from "../../http/outcome.ts";
import { revokeMailedLinks } from "../../mail/outbox.server.ts";
import { changePasswordAndRevokeAccess, revokeAccessForAccountRecovery } from "../revoke-account-access.server.ts";
import { lockAccountRow } from "../lock-account-row.server.ts";
import { refusalUnlessAdmin } from "../authorization.server.ts";
import { closeConnectionsOfEndedSessions } from "../close-session-connections.server.ts";
import { createRateLimitedLinkLookup } from "../links/rate-limited-link-lookup.server.ts";
import { checkPasswordStrength } from "./password-strength.server.ts";
import { hashPassword } from "./password-hashing.server.ts";
import { type Person, PERSON_SELECT } from "../person.ts";
import { createSecretToken, hashSecretToken } from "../../secret-token.server.ts";

const LINK_LIFETIME_MS = HOUR_MS;

/** An id that no account has. */
const NONEXISTENT_USER_ID = 0;

const linkExpiredRefusal = refused(
  "gone",
  "This link was used already, is more than an hour old, or you asked for a newer one: then open the latest email. Or ask for a new link, or call us.",
);
const findLinkWithRateLimit = createRateLimitedLinkLookup("reset-link", linkExpiredRefusal);

/**
 * Creates the link with which a family chooses a new password. It works once, within one hour. Only its hash is stored,
 * so it can be shown only now. Recovers the account (`revokeAccessForAccountRecovery`): the password, every session and every earlier
 * link end at once, so that another person who knows the password can't use it first. Administrators reset theirs with
 * `npm run admin`.
 */
export async function recoverAccountAndCreateResetLink(
  admin: Person,
  email: string,
): Promise<Outcome<{ url: string; name: string; expiresAt: Date }>> {
  const notAdminRefusal = refusalUnlessAdmin(admin);
  if (notAdminRefusal) return notAdminRefusal;
  const user = await db.user.findUnique({
    where: { email },
    select: { id: true, firstName: true, lastName: true, isAdmin: true, closedAt: true },
  });
  if (!user) return invalidField("email", "No family has an account with this email address.");
  if (user.isAdmin)
    return invalidField("email", "This is the consultant's own account. Its password is set on the machine.");
  if (user.closedAt)
    return invalidField("email", "This family's account is closed. Open it again on the family's page first.");
  const { secretPath, expiresAt } = await inTransaction(async (transaction) => {
    if (await lockAccountRow(transaction, user.id, { isOpen: true }))
      await revokeAccessForAccountRecovery(transaction, user.id);
    return replaceResetLink(transaction, user.id, { isMailed: false });
  });
  await closeConnectionsOfEndedSessions(user.id);
  return accepted({ url: `${env.origin}${secretPath}`, name: `${user.firstName} ${user.lastName}`, expiresAt });
}

/**
 * Creates a reset link of an account; it does not work for a closed account. Earlier mailed links end. A link that the
 * consultant gave is kept when a mailed link is created, because anyone can request a mailed link. Without an account
 * the same rows are written without a user, so that the duration reveals nothing.
 */
export async function replaceResetLink(
  transaction: Transaction,
  userId: number | null,
  { isMailed, accessVersion = null }: { isMailed: boolean; accessVersion?: number | null },
) {
  const token = createSecretToken();
  const expiresAt = new Date(now().getTime() + LINK_LIFETIME_MS);
  const isOpen = await lockAccountRow(transaction, userId ?? NONEXISTENT_USER_ID, {
    isOpen: true,
    accessVersion: accessVersion ?? undefined,
  });
  if (isOpen || userId === null) {
    await transaction.passwordReset.deleteMany({
      where: { userId: userId ?? NONEXISTENT_USER_ID, ...(isMailed ? { isMailed } : {}) },
    });
    await revokeMailedLinks(transaction, userId ?? NONEXISTENT_USER_ID, "password-reset");
    await transaction.passwordReset.create({
      data: { tokenHash: hashSecretToken(token), userId, isMailed, accessVersion, expiresAt },
    });
    recordAuditInTransaction(transaction, { action: "reset-link-made", familyId: userId, objectId: userId });
  }
  return { secretPath: `/reset-password/${token}`, expiresAt, isCreated: isOpen };
}

/**
 * Creates the link with which a person replaces a password that is too weak, after a sign-in that was complete when the
 * account had `accessVersion`. Nothing else that opens the account ends by it. Earlier links end. Returns its path; null
 * if access to the account was revoked in the meantime.
 */
export async function createRequiredPasswordChangePath(userId: number, accessVersion: number): Promise<string | null> {
  const { secretPath, isCreated } = await inTransaction((transaction) =>
    replaceResetLink(transaction, userId, { isMailed: false, accessVersion }),
  );
  return isCreated ? secretPath : null;
}

type ResetLink = {
  userId: number;
  isAdmin: boolean;
  /** The link replaces a password that is too weak, and ends nothing else that opens the account. */
  isRequiredChange: boolean;
};

/**
 * Checks whether a link is still valid. `ip` is the client's, for the limit of 20 wrong links in 15 minutes. Refusals:
 * gone, tooMany.
 */
export function checkResetLink(token: string, ip: string): Promise<Outcome<ResetLink>> {
  const where = { tokenHash: hashSecretToken(token), expiresAt: { gt: now() } };
  return findLinkWithRateLimit({ ip, sid: null }, async () => {
    const user = { select: { id: true, isAdmin: true, accessVersion: true } };
    const row = await db.passwordReset.findFirst({ where, select: { accessVersion: true, user } });
    if (!row?.user) return null;
    const { id: userId, isAdmin, accessVersion } = row.user;
    const isRequiredChange = row.accessVersion !== null;
    return isRequiredChange && row.accessVersion !== accessVersion ? null : { userId, isAdmin, isRequiredChange };
  });
}

/**
 * Sets the new password, uses up the link and ends all other access to the account, in one transaction; with the link of
 * a required change, only what `changePasswordAndRevokeAccess` says. Returns the account and its version after that.
 * Refusals: gone, invalid, tooMany, unavailable.
 */
export async function resetPassword(
  token: string,
  newPassword: string,
  ip: string,
): Promise<Outcome<{ person: Person; accessVersion: number }>> {
  const link = await checkResetLink(token, ip);
  if (!link.ok) return link;
  const { userId } = link.value;
  const person = await db.user.findUniqueOrThrow({ where: { id: userId }, select: PERSON_SELECT });
  const refusal = checkPasswordStrength(newPassword, "newPassword", person);
  if (refusal) return refusal;
  const hash = await hashPassword(newPassword, { ip, account: `reset ${userId}`, isRecognized: true });
  if (!hash.ok) return hash;
  const resetTokenHash = hashSecretToken(token);
  const replaced = await changePasswordAndRevokeAccess(userId, hash.value, { resetTokenHash });
  return replaced ? accepted({ person, ...replaced }) : linkExpiredRefusal;
}
