import { createAccount } from "../../accounts/registration.server.ts";
import { type Account } from "../../accounts/account.server.ts";
import { sendConfirmationLinkToNewAccount } from "../../accounts/email/confirm-email.server.ts";
import { storeConfirmedEmail } from "../../accounts/email/store-confirmed-email.server.ts";
import { isEmailTaken } from "../../accounts/email/email-availability.server.ts";
import { createRateLimitedLinkLookup } from "../../accounts/links/rate-limited-link-lookup.server.ts";
import { checkPasswordStrength } from "../../accounts/passwords/password-strength.server.ts";
import type { InvitedRegistrationValues } from "../../accounts/account-schemas.ts";
import { now } from "../../clock.ts";
import { db, type Transaction } from "../../db/database-client.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { dropMailToAddress } from "../../mail/outbox.server.ts";
import { hashSecretToken } from "../../secret-token.server.ts";
import { findClaim, redeemClaim } from "../claims/claims.server.ts";
import { RollbackError, rollbackIf } from "../rollback.server.ts";

const linkExpiredRefusal = refused(
  "gone",
  "This invitation was already used, withdrawn or replaced, or it is too old. Please call us for a new one.",
);

const findLinkWithRateLimit = createRateLimitedLinkLookup("invitation-link", linkExpiredRefusal);

/**
 * Returns for whom an invitation link is and until when (UTC), whether the address already has an account, and whether
 * its visit can be claimed or was canceled. Refusals: gone; tooMany, after 20 wrong tokens in 15 minutes from one `ip`.
 */
export async function checkInvitation(token: string, ip: string) {
  const link = await findLinkWithRateLimit({ ip, sid: null }, () => findInvitation(token));
  if (!link.ok) return link;
  const { firstName, lastName, email, expiresAt, appointment } = link.value;
  const hasAccount = await isEmailTaken(email);
  const hasVisit = (await findClaim(token)) !== null;
  const isVisitCanceled = appointment?.userId === null && appointment.status === "cancelled";
  return accepted({ firstName, lastName, email, expiresAt, hasAccount, hasVisit, isVisitCancelled: isVisitCanceled });
}

/**
 * Creates the account of an invited family with the address of its link, and assigns the invitation's visit to it. The
 * address counts as confirmed if the link was mailed to it. The link works once. Refusals: gone, tooMany, conflict (the
 * address already has an account), invalid (common password).
 */
export async function acceptInvitation(
  token: string,
  fields: InvitedRegistrationValues,
  ip: string,
): Promise<Outcome<{ account: Account; hasVisit: boolean }>> {
  const link = await checkInvitation(token, ip);
  if (!link.ok) return link;
  const weakPasswordRefusal = checkPasswordStrength(fields.password, "password");
  if (weakPasswordRefusal) return weakPasswordRefusal;
  const { email } = link.value;
  const tokenHash = hashSecretToken(token);
  let hasVisit = false;
  try {
    const creation = await createAccount({ ...fields, email }, ip, async (transaction, account) => {
      const where = { tokenHash, email, expiresAt: { gt: now() } };
      const invitation = await transaction.invitation.findFirst({ where });
      rollbackIf(invitation ? null : linkExpiredRefusal);
      hasVisit = (await redeemClaim(transaction, tokenHash, account.id)) !== null;
      const { count } = await transaction.invitation.deleteMany({ where: { tokenHash } });
      // Redeeming the claim has already deleted the invitation.
      rollbackIf(count === 0 && !hasVisit ? linkExpiredRefusal : null);
      if (invitation?.isMailed) await storeConfirmedEmail(transaction, { userId: account.id, email });
      else await sendConfirmationLinkToNewAccount(transaction, account);
    });
    return creation.ok ? accepted({ account: creation.value, hasVisit }) : creation;
  } catch (error) {
    if (error instanceof RollbackError) return error.refusal;
    throw error;
  }
}

/**
 * Ends the invitation of an address that its account has confirmed, and assigns the invitation's visit to the account.
 * The confirmation proves access to the mailbox, just as the invitation link would. A visit with a later link is not
 * assigned.
 */
export async function redeemConfirmedInvitation(
  transaction: Transaction,
  { userId, email }: { userId: number; email: string },
): Promise<void> {
  const invitation = await transaction.invitation.findUnique({ where: { email }, select: { tokenHash: true } });
  if (!invitation) return;
  const { tokenHash } = invitation;
  await redeemClaim(transaction, tokenHash, userId);
  await transaction.invitation.deleteMany({ where: { tokenHash } });
  await dropMailToAddress(transaction, email, "invitation");
}

function findInvitation(token: string) {
  return db.invitation.findFirst({
    where: { tokenHash: hashSecretToken(token), expiresAt: { gt: now() } },
    include: { appointment: { select: { status: true, userId: true } } },
  });
}
