import { lockAccountRow } from "../accounts/lock-account-row.server.ts";
import { notifyAccount, notifyConsultant } from "../accounts/email/queue-account-message.server.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db, inTransaction, type Transaction } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import {
  consentWithdrawnContent,
  consentWithdrawnForConsultantContent,
} from "../mail/messages/consent-withdrawal-messages.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import { type ConsentDocument, findConsentDocument } from "./consent-documents.ts";
import { activeConsentCondition, recordConsentAudit } from "./consents.server.ts";

const notSignedRefusal = refused("notFound", "There is no such agreement in force.");

/**
 * Withdraws all active signatures of the family itself for a document, and notifies the consultant. Refusal: notFound,
 * if there is none.
 */
export async function withdrawConsent(person: Person, id: string | undefined): Promise<Outcome<null>> {
  const document = findConsentDocument(id);
  if (!document) return refused("notFound", "There is no such document.");
  return inTransaction(async (transaction) => {
    await lockAccountRow(transaction, person.id);
    const consentId = await withdrawActiveSignatures(transaction, document, {
      actorId: person.id,
      familyId: person.id,
    });
    if (consentId === null) return refused("notFound", "You have not signed this.");
    await notifyConsultant(transaction, person.id, ({ firstName }) => ({
      event: "consent-withdrawn",
      subjectKey: `consent ${consentId}`,
      content: consentWithdrawnForConsultantContent(firstName, person.id),
    }));
    return accepted(null);
  });
}

/**
 * Returns a family's active signature, for the administrator's confirmation page before ending it. The caller must
 * record the access. Refusal: notFound, also for anyone else.
 */
export async function findConsentToWithdraw(person: Person, familyId: number, id: number | null) {
  const found = person.isAdmin && id !== null ? await findActiveConsent(db, familyId, id) : null;
  if (!found) return notSignedRefusal;
  const { document, signedName, signedAt } = found;
  return accepted({ title: document.title, signedName, signedAt });
}

/**
 * Withdraws a signature for the administrator, at the family's request, and notifies the family of it. Also withdraws
 * all other active signatures of the same document. Refusal: notFound, if the signature is no longer active; also for
 * anyone else.
 */
export async function withdrawConsentOfFamily(
  person: Person,
  familyId: number | null,
  id: number | null,
): Promise<Outcome<null>> {
  if (!person.isAdmin || familyId === null || id === null) return notSignedRefusal;
  return inTransaction(async (transaction) => {
    await lockAccountRow(transaction, familyId);
    const found = await findActiveConsent(transaction, familyId, id);
    if (!found) return notSignedRefusal;
    const { document } = found;
    const consentId = await withdrawActiveSignatures(transaction, document, { actorId: person.id, familyId });
    if (consentId === null) return notSignedRefusal;
    const facts = { title: document.title, at: formatPracticeDateTime(now()), phone: env.practice.phone };
    await notifyAccount(
      transaction,
      familyId,
      (account) => ({
        event: "consent-withdrawn",
        subjectKey: `consent ${consentId}`,
        content: consentWithdrawnContent(account, facts),
        isExemptFromLimits: true,
      }),
      { isForClosed: true },
    );
    return accepted(null);
  });
}

/** Returns a family's signature with this id and its document if it is active, otherwise null. */
async function findActiveConsent({ consent }: Pick<Transaction, "consent">, userId: number, id: number) {
  const select = { document: true, signedName: true, signedAt: true } as const;
  const row = await consent.findFirst({ where: { id, userId }, select });
  const document = row && findConsentDocument(row.document);
  if (!document) return null;
  const activeConsent = await consent.findFirst({
    where: { ...activeConsentCondition(userId, document), id },
    select: { id: true },
  });
  return activeConsent && { ...row, document };
}

/**
 * Withdraws all active signatures of a document. Returns the id of the newest one; null if none is active. The caller
 * must have locked the account's row.
 */
async function withdrawActiveSignatures(
  transaction: Transaction,
  document: ConsentDocument,
  { actorId, familyId }: { actorId: number; familyId: number },
): Promise<number | null> {
  const where = activeConsentCondition(familyId, document);
  const last = await transaction.consent.findFirst({ where, orderBy: { id: "desc" }, select: { id: true } });
  if (!last) return null;
  const data = { withdrawnAt: now(), isUnreviewedWithdrawal: actorId === familyId };
  await transaction.consent.updateMany({ where, data });
  recordConsentAudit(transaction, "consent-withdrawn", { actorId, familyId, consentId: last.id });
  return last.id;
}
