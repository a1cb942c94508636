import { lockAccountRow } from "../accounts/account-access.server.ts";
import { notifyConsultant } from "../accounts/email/notify.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { recordAuditInTransaction } from "../audit/record.server.ts";
import { now } from "../clock.ts";
import { db, inTransaction } from "../db/client.server.ts";
import { DAY_MS, DAY_SECONDS } from "../duration.ts";
import { accepted, invalidField, type Outcome, refused } from "../http/outcome.ts";
import { rateLimit } from "../http/rate-limit.server.ts";
import { consentWithdrawnContent } from "../mail/messages/consent-messages.ts";
import { normalizeUnicode } from "../normalize-unicode.ts";
import { CONSENT_DOCUMENTS, type ConsentDocument, findConsentDocument } from "./consent-documents.ts";
import type { SignConsentFields } from "./consent-schema.ts";

const MAX_ROWS = 200;

/** Each stores a row, and taking it back is mailed. Source: docs/product.md, Limits. */
const signatures = rateLimit("consent-signatures", 10, DAY_SECONDS);
const TOO_MANY_SIGNATURES = "You have signed ten times today. Please try again tomorrow, or call us.";

const COLUMNS = {
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

/** A signature with the text that it is under; instants are UTC. */
export type SignedConsent = Omit<ConsentRow, "document"> & {
  title: string;
  documentId: string;
  /** Null: it does not end by itself. */
  endsAt: Date | null;
  isInForce: boolean;
  paragraphs: readonly string[];
};

const noSuchDocument = refused("notFound", "There is no such document.");

/**
 * The signatures of a family, newest first: all that were not taken back, one a document at most, and of the others the
 * latest that fit into 200. For the family itself and for the administrator; throws for anyone else.
 */
export async function listConsents(person: Person, familyId: number): Promise<SignedConsent[]> {
  if (!person.isAdmin && person.id !== familyId) throw new Error("A family sees its own signatures alone.");
  const rows = await db.consent.findMany({
    where: { userId: familyId },
    orderBy: [{ withdrawnAt: { sort: "desc", nulls: "first" } }, { id: "desc" }],
    take: MAX_ROWS,
    select: COLUMNS,
  });
  return rows.toSorted((one, other) => other.id - one.id).map(toSignedConsent);
}

/** A document as it is offered today, with the family's newest signature in force, if there is one. */
export async function findConsent(
  person: Person,
  id: string | undefined,
): Promise<Outcome<{ document: ConsentDocument; signed: SignedConsent | null }>> {
  const document = findConsentDocument(id);
  if (!document) return noSuchDocument;
  const where = { userId: person.id, document: document.id, withdrawnAt: null };
  const row = await db.consent.findFirst({ where, orderBy: { id: "desc" }, select: COLUMNS });
  const signed = row && toSignedConsent(row);
  return accepted({ document, signed: signed?.isInForce ? signed : null });
}

/**
 * Signs the version in force with the family's own name. A signature under an earlier version, or one that has ended, is
 * replaced. Refusals: notFound (no such document), conflict (another version, or signed already), invalid
 * (`signedName`, `details`), tooMany (10 signatures a day; taking one back is never limited).
 */
export async function signConsent(
  person: Person,
  id: string | undefined,
  { version, signedName, details }: SignConsentFields,
): Promise<Outcome<null>> {
  const document = findConsentDocument(id);
  if (!document) return noSuchDocument;
  if (version !== document.versions[0].version)
    return refused("conflict", "This text has changed. Please read it once more, then sign it.");
  if (document.detailsLabel && !details) return invalidField("details", "Name at least one person or place.");
  if (comparableName(signedName) !== comparableName(fullName(person)))
    return invalidField("signedName", `Type your name as it is in your account: ${fullName(person)}.`);
  return inTransaction(async (transaction) => {
    await lockAccountRow(transaction, person.id);
    const where = { userId: person.id, document: document.id, withdrawnAt: null };
    const open = await transaction.consent.findFirst({ where, orderBy: { id: "desc" }, select: COLUMNS });
    if (open?.version === version && toSignedConsent(open).isInForce)
      return refused("conflict", "You have signed this already.");
    const tooMany = await signatures.consume(String(person.id));
    if (tooMany) return { ...tooMany, message: TOO_MANY_SIGNATURES };
    await transaction.consent.updateMany({ where, data: { withdrawnAt: now() } });
    const data = { userId: person.id, document: document.id, version, signedName, signedAt: now() };
    const own = document.detailsLabel ? (details ?? null) : null;
    const { id: consentId } = await transaction.consent.create({
      data: { ...data, details: own },
      select: { id: true },
    });
    recordConsent(transaction, "consent-given", person, consentId);
    return accepted(null);
  });
}

/** Takes back every open signature of the family under a document. Refusal: notFound, where there is none. */
export async function withdrawConsent(person: Person, id: string | undefined): Promise<Outcome<null>> {
  const document = findConsentDocument(id);
  if (!document) return noSuchDocument;
  return inTransaction(async (transaction) => {
    await lockAccountRow(transaction, person.id);
    const where = { userId: person.id, document: document.id, withdrawnAt: null };
    const last = await transaction.consent.findFirst({ where, orderBy: { id: "desc" }, select: { id: true } });
    if (!last) return refused("notFound", "You have not signed this.");
    await transaction.consent.updateMany({ where, data: { withdrawnAt: now() } });
    recordConsent(transaction, "consent-withdrawn", person, last.id);
    await notifyConsultant(transaction, person.id, ({ firstName }) => ({
      event: "consent-withdrawn",
      about: `consent ${last.id}`,
      content: consentWithdrawnContent(firstName, person.id),
    }));
    return accepted(null);
  });
}

/** What the administrator sees on a family's page: the documents, and the signatures that have ended; ISO 8601 UTC. */
export function consentsOverview(consents: readonly SignedConsent[]) {
  const offered = consentStates(consents).map(({ signed, ...state }) => ({
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

/** Every document with the signature in force. */
export function consentStates(consents: readonly SignedConsent[]) {
  return CONSENT_DOCUMENTS.map(({ id, title, summary, versions }) => {
    const signed = consents.find(({ documentId, isInForce }) => documentId === id && isInForce);
    return {
      id,
      title,
      summary,
      signed: signed ?? null,
      isOutdated: signed ? signed.version !== versions[0].version : false,
    };
  });
}

/** A stored signature with its text. */
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

function recordConsent(
  transaction: Parameters<typeof recordAuditInTransaction>[0],
  action: "consent-given" | "consent-withdrawn",
  { id }: Person,
  consentId: number,
): void {
  recordAuditInTransaction(transaction, {
    action,
    actorId: id,
    familyId: id,
    objectType: "consent",
    objectId: consentId,
  });
}

/** Accents count; spaces and capitals do not. */
function comparableName(name: string): string {
  return normalizeUnicode(name, "NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}
