import { lockAccountRow } from "../accounts/lock-account-row.server.ts";
import { notSignedInRefusal } from "../accounts/authorization.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { now } from "../clock.ts";
import { db, inTransaction, type Transaction } from "../db/database-client.server.ts";
import { DAY_MS, DAY_SECONDS } from "../time-units.ts";
import { accepted, invalidField, type Outcome, refused } from "../http/outcome.ts";
import { createRateLimiter } from "../http/rate-limit.server.ts";
import { normalizeApostrophes, normalizeUnicode } from "../normalize-unicode.ts";
import { CONSENT_DOCUMENTS, type ConsentDocument, findConsentDocument } from "./consent-documents.ts";
import type { SignConsentValues } from "./consent-schema.ts";

const MAX_LISTED_SIGNATURES = 200;

/** Limits signatures, because each stores a row, and each withdrawal is mailed. Source: docs/product.md, Limits. */
const signatureLimiter = createRateLimiter("consent-signatures", 10, DAY_SECONDS);
const TOO_MANY_SIGNATURES_MESSAGE = "You have signed ten times today. Please try again tomorrow, or call us.";

const CONSENT_SELECT = {
  id: true,
  document: true,
  version: true,
  signedName: true,
  details: true,
  signedAt: true,
  withdrawnAt: true,
} as const;

type ConsentRow = {
  id: number;
  document: string;
  version: string;
  signedName: string;
  details: string | null;
  signedAt: Date;
  withdrawnAt: Date | null;
};

/** A signature with the text that was signed. Instants are UTC. */
export type SignedConsent = Omit<ConsentRow, "document"> & {
  title: string;
  documentId: string;
  /** Null if the signature does not expire. */
  endsAt: Date | null;
  isInForce: boolean;
  paragraphs: readonly string[];
};

const unknownDocumentRefusal = refused("notFound", "There is no such document.");

/**
 * Returns the signatures of a family, newest first: all that were not withdrawn, at most one per document, and the
 * latest of the others, up to 200 in total. For the family itself and for the administrator; throws for anyone else.
 */
export async function listConsentSignatures(person: Person, familyId: number): Promise<SignedConsent[]> {
  if (!person.isAdmin && person.id !== familyId) throw new Error("A family sees its own signatures alone.");
  const rows = await db.consent.findMany({
    where: { userId: familyId },
    orderBy: [{ withdrawnAt: { sort: "desc", nulls: "first" } }, { id: "desc" }],
    take: MAX_LISTED_SIGNATURES,
    select: CONSENT_SELECT,
  });
  return rows.toSorted((a, b) => b.id - a.id).map(toSignedConsent);
}

/**
 * Returns a document in its current version, with the family's newest active signature, if there is one. Refusal:
 * notFound.
 */
export async function findConsentDocumentWithSignature(
  person: Person,
  id: string | undefined,
): Promise<Outcome<{ document: ConsentDocument; signed: SignedConsent | null }>> {
  const document = findConsentDocument(id);
  if (!document) return unknownDocumentRefusal;
  const where = activeConsentCondition(person.id, document);
  const row = await db.consent.findFirst({ where, orderBy: { id: "desc" }, select: CONSENT_SELECT });
  return accepted({ document, signed: row && toSignedConsent(row) });
}

/**
 * Returns a signature of a family with the text that was signed, whether or not it is active. For the family itself and
 * for the administrator; throws for anyone else. Refusal: notFound.
 */
export async function findConsentSignature(
  person: Person,
  familyId: number,
  id: number | null,
): Promise<Outcome<SignedConsent>> {
  if (!person.isAdmin && person.id !== familyId) throw new Error("A family sees its own signatures alone.");
  const where = { id: id ?? 0, userId: familyId };
  const row = await db.consent.findFirst({ where, select: CONSENT_SELECT });
  return row ? accepted(toSignedConsent(row)) : refused("notFound", "There is no such signature.");
}

/** Prisma filter for the family's active signatures of a document: neither withdrawn nor replaced nor expired. */
export function activeConsentCondition(userId: number, { id: document, endsAfterDays: days }: ConsentDocument) {
  const notExpiredCondition = days === undefined ? {} : { signedAt: { gt: new Date(now().getTime() - days * DAY_MS) } };
  return { userId, document, withdrawnAt: null, ...notExpiredCondition };
}

/**
 * Signs the current version with the family's own name. Replaces a signature of an earlier version. An expired
 * signature keeps the time at which it expired. Refusals: notFound (no such document), conflict (another version, or
 * already signed), unauthorized (the session `sid` has ended meanwhile), invalid (`signedName`, `details`), tooMany (10
 * signatures a day; withdrawing is never limited).
 */
export async function signConsent(
  person: Person,
  id: string | undefined,
  { version, signedName, details }: SignConsentValues,
  sid: string | undefined,
): Promise<Outcome<null>> {
  const document = findConsentDocument(id);
  if (!document) return unknownDocumentRefusal;
  if (version !== document.versions[0].version)
    return refused("conflict", "This text has changed. Please read it once more, then sign it.");
  if (document.detailsLabel && !details) return invalidField("details", "Name at least one person or place.");
  if (comparableName(signedName) !== comparableName(fullName(person)))
    return invalidField("signedName", `Type your name as it is in your account: ${fullName(person)}.`);
  return inTransaction(async (transaction) => {
    const accountConditions = { sid, isOpen: true, hasNoErasureRequest: true } as const;
    if (!(await lockAccountRow(transaction, person.id, accountConditions))) return notSignedInRefusal();
    const where = { userId: person.id, document: document.id, withdrawnAt: null };
    const row = await transaction.consent.findFirst({ where, select: CONSENT_SELECT });
    const currentConsent = row && toSignedConsent(row);
    if (currentConsent?.isInForce && currentConsent.version === version)
      return refused("conflict", "You have already signed this.");
    const rateLimitRefusal = await signatureLimiter.consume(String(person.id));
    if (rateLimitRefusal) return { ...rateLimitRefusal, message: TOO_MANY_SIGNATURES_MESSAGE };
    if (currentConsent) {
      // An expired signature was no longer active, so it ends at its expiry, not now.
      const withdrawnAt = currentConsent.isInForce ? now() : currentConsent.endsAt;
      await transaction.consent.update({
        where: { id: currentConsent.id },
        data: { withdrawnAt },
        select: { id: true },
      });
    }
    const data = { userId: person.id, document: document.id, version, signedName, signedAt: now() };
    const ownDetails = document.detailsLabel ? (details ?? null) : null;
    const { id: consentId } = await transaction.consent.create({
      data: { ...data, details: ownDetails },
      select: { id: true },
    });
    recordConsentAudit(transaction, "consent-given", { actorId: person.id, familyId: person.id, consentId });
    return accepted(null);
  });
}

/**
 * Returns what the administrator sees on a family's page: the documents, and the signatures that have ended. Instants
 * are ISO 8601 UTC.
 */
export function consentsOverview(consents: readonly SignedConsent[]) {
  const offered = consentStates(consents).map(({ signed, ended: _, ...state }) => ({
    ...state,
    signed: signed && {
      ...signed,
      signedAt: signed.signedAt.toISOString(),
      endsAt: signed.endsAt?.toISOString() ?? null,
    },
  }));
  const ended = consents.flatMap(({ id, title, signedAt, withdrawnAt, endsAt, isInForce }) => {
    const endedAt = withdrawnAt ?? endsAt;
    if (isInForce || !endedAt) return [];
    return [{ id, title, signedAt: signedAt.toISOString(), endedAt: endedAt.toISOString() }];
  });
  return { offered, ended };
}

/** Returns every document with its active signature, or, without one, with its newest signature that has ended. */
export function consentStates(consents: readonly SignedConsent[]) {
  return CONSENT_DOCUMENTS.map(({ id, title, summary, versions }) => {
    const signed = consents.find(({ documentId, isInForce }) => documentId === id && isInForce);
    return {
      id,
      title,
      summary,
      signed: signed ?? null,
      ended: signed ? null : (consents.find(({ documentId }) => documentId === id) ?? null),
      isOutdated: signed ? signed.version !== versions[0].version : false,
    };
  });
}

/** Adds the text, title and status to a stored signature. */
export function toSignedConsent({ document: documentId, ...row }: ConsentRow): SignedConsent {
  const document = findConsentDocument(documentId);
  const text = document?.versions.find(({ version }) => version === row.version);
  const days = document?.endsAfterDays;
  const endsAt = days === undefined ? null : new Date(row.signedAt.getTime() + days * DAY_MS);
  return {
    ...row,
    documentId,
    title: document?.title ?? documentId,
    endsAt,
    isInForce: row.withdrawnAt === null && (endsAt === null || endsAt > now()),
    paragraphs: text?.paragraphs ?? [],
  };
}

/** Records in `transaction` that a signature was given or withdrawn. */
export function recordConsentAudit(
  transaction: Transaction,
  action: "consent-given" | "consent-withdrawn",
  { consentId, ...who }: { actorId: number; familyId: number; consentId: number },
): void {
  recordAuditInTransaction(transaction, { action, ...who, objectType: "consent", objectId: consentId });
}

/**
 * Returns the form in which names are compared. Accents must match; spaces, case, and the kind of apostrophe or hyphen
 * are ignored.
 */
function comparableName(name: string): string {
  return normalizeApostrophes(normalizeUnicode(name, "NFKC"))
    .replace(/\p{Pd}/gu, "-")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();
}
