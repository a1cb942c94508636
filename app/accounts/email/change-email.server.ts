import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, type Transaction } from "../../db/database-client.server.ts";
import { DAY_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { accepted, invalidField, type Outcome } from "../../http/outcome.ts";
import { emailChangedContent, emailChangeRequestedContent } from "../../mail/messages/email-change-messages.ts";
import { revokeMailedLinks, enqueueMessage } from "../../mail/outbox.server.ts";
import { mailboxLimitKey } from "../../mail/mailbox-limit-key.server.ts";
import { currentMailRequesterIp } from "../../mail/mail-requester-ip.server.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { createSecretToken, hashSecretToken } from "../../secret-token.server.ts";
import { revokeSessionsAndLinks } from "../revoke-account-access.server.ts";
import { lockAccountRow } from "../lock-account-row.server.ts";
import { notSignedInRefusal } from "../authorization.server.ts";
import { familyIdOf, type Person } from "../person.ts";
import { consumeEmailChangeLimits } from "./confirmation-mail-limits.server.ts";
import { createConfirmationLink } from "./confirmation-link.server.ts";
import { storeConfirmedEmail } from "./store-confirmed-email.server.ts";
import { toRecipientProfile } from "./queue-account-message.server.ts";
import { isEmailTaken } from "./email-availability.server.ts";

const UNDO_LINK_LIFETIME_DAYS = 7;

/**
 * Mails a link, valid for an hour, that makes `email` the address of the person's account. Earlier links stop working.
 * The response and the message are the same if another account has the address: only the owner of its mailbox learns
 * that, from the link. Refusals: invalid (the address is already the account's own), unauthorized (`sid` has ended),
 * tooMany (after 3 an hour or 6 a day). The same limits apply to the messages that one network causes to one mailbox,
 * whatever the spelling of its address; requests over that limit are accepted but do nothing.
 */
export async function requestEmailChange(person: Person, email: string, sid: string): Promise<Outcome<null>> {
  if (email === person.email) return invalidField("email", "This is already your email address.");
  const rateLimitRefusal = await consumeEmailChangeLimits(String(person.id));
  if (rateLimitRefusal) return rateLimitRefusal;
  if (await consumeEmailChangeLimits(mailboxLimitKey(email, currentMailRequesterIp()))) return accepted(null);
  return inTransaction(async (transaction) => {
    if (!(await lockAccountRow(transaction, person.id, { isOpen: true, hasNoErasureRequest: true, sid })))
      return notSignedInRefusal();
    const { secretPath, expiresAt } = await createConfirmationLink(transaction, person.id, email, { isChange: true });
    await revokeMailedLinks(transaction, person.id, "email-change-requested");
    await enqueueMessage(
      transaction,
      { userId: person.id, address: email, isUnconfirmedAddress: true },
      {
        event: "email-change-requested",
        subjectKey: `link ${hashSecretToken(secretPath)}`,
        content: emailChangeRequestedContent(),
        secretPath,
        expiresAt,
      },
    );
    recordAuditInTransaction(transaction, {
      action: "email-change-asked",
      actorId: person.id,
      familyId: familyIdOf(person),
      objectId: person.id,
    });
    return accepted(null);
  });
}

/** Returns the new address that the person has requested and not confirmed yet; null if there is none. */
export async function findPendingEmailAddress(person: Person): Promise<string | null> {
  const where = { userId: person.id, isChange: true, expiresAt: { gt: now() } };
  const row = await db.emailConfirmation.findFirst({ where, select: { email: true } });
  return row?.email ?? null;
}

/**
 * Makes `email`, which its owner has confirmed, the address of an account that the caller has locked. Ends every
 * session except `sid`, revokes mailed password links, and notifies the earlier address. Returns false when another
 * account has the address.
 */
export async function changeEmailAndRevokeAccess(
  transaction: Transaction,
  { userId, email, tokenHash, sid }: { userId: number; email: string; tokenHash: string; sid: string | null },
): Promise<boolean> {
  if (await isEmailTaken(email, { userId, reader: transaction })) return false;
  const select = { email: true, firstName: true, emailConfirmedAt: true, isAdmin: true } as const;
  const previousUser = await transaction.user.findUniqueOrThrow({ where: { id: userId }, select });
  await storeConfirmedEmail(transaction, { userId, email, action: "email-changed" });
  await revokeSessionsAndLinks(transaction, userId, { exceptSid: sid ?? undefined, preservesConsultantLinks: true });
  await revokeMailedLinks(transaction, userId, "password-reset");
  // An unconfirmed address may be mistyped: a link mailed there would give another person the account.
  const canUndo = previousUser.emailConfirmedAt !== null || previousUser.isAdmin;
  const undo = canUndo ? await createUndoLink(transaction, userId, previousUser.email) : {};
  await enqueueMessage(
    transaction,
    {
      userId,
      address: previousUser.email,
      isUnconfirmedAddress: previousUser.emailConfirmedAt === null && !previousUser.isAdmin,
    },
    {
      event: "email-changed",
      subjectKey: `link ${tokenHash}`,
      content: emailChangedContent(toRecipientProfile(previousUser), {
        at: formatPracticeDateTime(now()),
        phone: env.practice.phone,
        canUndo,
        isConsultant: previousUser.isAdmin,
      }),
      ...undo,
    },
  );
  return true;
}

/** Creates the link in the message to the earlier address. It undoes the change and is valid for seven days. */
async function createUndoLink(transaction: Transaction, userId: number, oldEmail: string) {
  const token = createSecretToken();
  const expiresAt = new Date(now().getTime() + UNDO_LINK_LIFETIME_DAYS * DAY_MS);
  await transaction.emailChange.create({
    data: { userId, oldEmail, undoTokenHash: hashSecretToken(token), undoUntil: expiresAt, changedAt: now() },
  });
  return { secretPath: `/undo-email-change/${token}`, expiresAt };
}
