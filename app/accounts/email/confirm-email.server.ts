import { now } from "../../clock.ts";
import { db, inTransaction, type Transaction } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { isUniqueViolation } from "../../db/database-errors.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { accountCreatedContent } from "../../mail/messages/account-messages.ts";
import { enqueueMessage } from "../../mail/outbox.server.ts";
import { hashSecretToken } from "../../secret-token.server.ts";
import type { Person } from "../person.ts";
import { closeConnectionsOfEndedSessions } from "../close-session-connections.server.ts";
import { lockAccountRow } from "../lock-account-row.server.ts";
import { createRateLimitedLinkLookup, type LinkSource } from "../links/rate-limited-link-lookup.server.ts";
import { changeEmailAndRevokeAccess } from "./change-email.server.ts";
import { createConfirmationLink } from "./confirmation-link.server.ts";
import { emailTakenRefusal, storeConfirmedEmail } from "./store-confirmed-email.server.ts";

const linkExpiredRefusal = refused(
  "gone",
  "This link was already used or has expired. You can ask for a new one in your account.",
);

const signInFirstRefusal = refused("unauthorized", "Sign in to the account first, then use the link again.");

const otherAccountRefusal = refused(
  "conflict",
  "You are signed in to another account. Sign out, sign in to the account with this address, and open the link again.",
);

const findLinkWithRateLimit = createRateLimitedLinkLookup("confirm-email", linkExpiredRefusal);

type CreatedAccount = { id: number; email: string };
/** The address that a link confirms. With `isChange`, it replaces the current address of the account. */
type ConfirmationLink = { email: string; userId: number; isChange: boolean };

/** Sends a new account the link that confirms its address, in the transaction that creates the account. */
export async function sendConfirmationLinkToNewAccount(
  transaction: Transaction,
  { id, email }: CreatedAccount,
): Promise<void> {
  const { secretPath, expiresAt } = await createConfirmationLink(transaction, id, email);
  const message = {
    event: "account-made" as const,
    subjectKey: "its making",
    content: accountCreatedContent(env.practice.name),
    secretPath,
    expiresAt,
  };
  await enqueueMessage(transaction, { userId: id, address: email, isUnconfirmedAddress: true }, message);
}

/**
 * Checks whether a link is still valid. Refusals: gone; tooMany, after 20 wrong links in 15 minutes from one `source`.
 */
export function checkConfirmationLink(token: string, source: LinkSource): Promise<Outcome<ConfirmationLink>> {
  const where = { tokenHash: hashSecretToken(token), expiresAt: { gt: now() } };
  const select = { email: true, userId: true, isChange: true } as const;
  return findLinkWithRateLimit(source, () => db.emailConfirmation.findFirst({ where, select }));
}

/**
 * Uses a link: records that the account's own address is confirmed, or with `isChange` makes the requested address the
 * account's.
 * A change of address requires a session of the account (`person`, `sid`), which is kept when the others end: otherwise
 * the reader of a mistyped address would get the account. The account's own address can be confirmed without a session
 * (`person` and `sid` are null), although the page of the link requires one (confirm-email.tsx).
 * Refusals: gone, tooMany, unauthorized, conflict (the session is another account's, or another account has the
 * address).
 */
export async function redeemConfirmationLink(
  token: string,
  { ip, person, sid }: LinkSource & { person: Person | null },
): Promise<Outcome<ConfirmationLink>> {
  const link = await checkConfirmationLink(token, { ip, sid });
  if (!link.ok) return link;
  if (!person && link.value.isChange) return signInFirstRefusal;
  if (person && person.id !== link.value.userId) return otherAccountRefusal;
  const confirmed = await applyConfirmationLink(hashSecretToken(token), sid).catch((error: unknown) => {
    if (isUniqueViolation(error, "email")) return emailTakenRefusal;
    throw error;
  });
  if (confirmed.ok && confirmed.value.isChange) await closeConnectionsOfEndedSessions(confirmed.value.userId);
  return confirmed;
}

function applyConfirmationLink(tokenHash: string, sid: string | null): Promise<Outcome<ConfirmationLink>> {
  return inTransaction(async (transaction) => {
    const row = await transaction.emailConfirmation.findUnique({ where: { tokenHash } });
    if (!row || !(await lockAccountRow(transaction, row.userId, { isOpen: true }))) return linkExpiredRefusal;
    const { userId, email, isChange } = row;
    if (isChange && !(await lockAccountRow(transaction, userId, { sid: sid ?? "" }))) return signInFirstRefusal;
    if ((await transaction.emailConfirmation.deleteMany({ where: { tokenHash } })).count === 0)
      return linkExpiredRefusal;
    if (isChange) {
      if (!(await changeEmailAndRevokeAccess(transaction, { userId, email, tokenHash, sid }))) return emailTakenRefusal;
      return accepted({ email, userId, isChange });
    }
    // The address has changed since. Only a link with `isChange` may set a different address.
    if ((await transaction.user.count({ where: { id: userId, email } })) === 0) return linkExpiredRefusal;
    await storeConfirmedEmail(transaction, { userId, email });
    return accepted({ email, userId, isChange });
  });
}
