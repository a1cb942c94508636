import { familyNotFoundRefusal } from "../accounts/authorization.server.ts";
import { recordAuditNow } from "../audit/record-audit.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { listAdminAppointmentsWithAudit } from "../booking/appointment-list/admin-appointments.server.ts";
import type { AdminRow } from "../booking/appointment-list/admin-appointment-row-data.ts";
import { amountDueText, formatUpcomingAmount } from "../booking/appointment-list/amount-due-text.ts";
import { practiceTodayBounds } from "../booking/practice-today.server.ts";
import { SHORT_VISIT_KIND_LABELS } from "../booking/visit-kind.ts";
import { listFollowUps } from "../booking/follow-ups/follow-ups.server.ts";
import { alreadyBookedText, findNextVisitChoices } from "../booking/next-visit/next-visit.server.ts";
import { openUndoLinkCondition } from "../accounts/email/undo-link-condition.server.ts";
import { findPendingErasure } from "../accounts/email/pending-erasure.server.ts";
import { consentsOverview, listConsentSignatures } from "../consents/consents.server.ts";
import { markConsentWithdrawalsReviewed } from "../consents/consent-withdrawal-review.server.ts";
import { countRequestsWithUnconfirmedEmail } from "../consultation-requests/request-account-matches.server.ts";
import { db } from "../db/database-client.server.ts";
import { truncateWithEllipsis } from "../excerpt.ts";
import { createDescriptionShortener, truncateFileName } from "../documents/list-truncation.ts";
import { formatBytes } from "../documents/document-file-rules.ts";
import { infectedDocumentText } from "../documents/infected-document-text.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { readPageNumber } from "../http/list-query.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { summarizeChild } from "../intake/child-summary.ts";
import { findIntakeForm, toSubmittedIntakeFormData } from "../intake/intake-forms.server.ts";
import { hasUnreviewedIntakeForm } from "../intake/intake-form-review.server.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import { formatCents } from "../ui/format-currency.ts";
import { listFamilyNotes } from "../booking/notes/family-notes.server.ts";

const MAX_ROWS = 100;
const MAX_DOCUMENTS = 50;
/** Of the past and of the upcoming visits that a note can be about. */
const MAX_NOTE_VISITS = 10;
const MAX_NOTE_VISIT_TITLE_LENGTH = 40;
/**
 * Maximum number of visits read: far more upcoming ones than a family can have (docs/product.md, Limits), and the past
 * ones that are listed.
 */
const MAX_VISITS = 2 * MAX_ROWS;
const CONTACT_SELECT = {
  id: true,
  firstName: true,
  lastName: true,
  email: true,
  emailConfirmedAt: true,
  phone: true,
  createdAt: true,
  closedAt: true,
  eraseAfter: true,
} as const;

export type FamilyPageData = Awaited<ReturnType<typeof loadFamilyPageAndMarkReviewed>>;

/**
 * Returns the page of one family for the administrator, with one page of its notes (`?page=`) and the visit that a new
 * one is about (`?visit=`). Records who opened it, and marks the agreements that it withdrew as seen. Amounts are formatted dollars, instants are ISO 8601 in
 * UTC. Refusal: notFound.
 */
export async function openFamilyPageAndMarkReviewed(
  person: Person,
  idParam: string | undefined,
  query: URLSearchParams,
): Promise<Outcome<FamilyPageData>> {
  const id = parseId(idParam);
  const family =
    person.isAdmin && id !== null
      ? await db.user.findFirst({
          where: { id, isAdmin: false },
          select: { ...CONTACT_SELECT, _count: { select: { emailChanges: { where: openUndoLinkCondition() } } } },
        })
      : null;
  if (!family) return familyNotFoundRefusal();
  await recordAuditNow({ action: "family-page-opened", familyId: family.id, objectId: family.id });
  return accepted(await loadFamilyPageAndMarkReviewed(person, family, query));
}

type FamilyContact = {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  emailConfirmedAt: Date | null;
  phone: string | null;
  createdAt: Date;
  closedAt: Date | null;
  eraseAfter: Date | null;
  /** `emailChanges`: those that a mailed link can still take back. */
  _count: { emailChanges: number };
};

async function loadFamilyPageAndMarkReviewed(person: Person, family: FamilyContact, query: URLSearchParams) {
  const [intake, isIntakeUnread, visits, listedDocuments, payments, notes, followUps, consents, unconfirmedRequests] =
    await Promise.all([
      findIntakeForm(person, family.id),
      hasUnreviewedIntakeForm(family.id),
      listAdminAppointmentsWithAudit(person, { where: { userId: family.id }, order: "desc", take: MAX_VISITS }),
      listFamilyDocuments(family.id),
      listFamilyPayments(family.id),
      listFamilyNotes(person, family.id, readPageNumber(query)),
      listFollowUps(person, family.id),
      listConsentSignatures(person, family.id),
      countRequestsWithUnconfirmedEmail(family),
    ]);
  await markConsentWithdrawalsReviewed(person, family.id);
  const upcoming = visits.filter(({ hasStarted }) => !hasStarted).toReversed();
  const past = visits.filter(({ hasStarted }) => hasStarted).slice(0, MAX_ROWS);
  const lastVisit = visits.find(({ isCancelled }) => !isCancelled);
  const nextVisit = upcoming.find(({ isCancelled }) => !isCancelled);
  const currentVisit = past.find(({ isOngoing, needsOutcome }) => isOngoing || needsOutcome);
  const noteVisitId = query.get("visit");
  const noteVisit = noteVisitId === null ? currentVisit : visits.find(({ id }) => String(id) === noteVisitId);
  const isAccountOpen = family.closedAt === null && family.eraseAfter === null;
  const pendingErasure = family.eraseAfter && (await findPendingErasure(family.id));
  return {
    id: family.id,
    name: fullName(family),
    email: family.email,
    phone: family.phone ?? (intake.ok ? intake.value.phoneNumber : null),
    profile: intake.ok ? summarizeChild(intake.value) : null,
    nextVisit: nextVisit ?? null,
    currentVisit: currentVisit ?? null,
    amountDueText: amountDueText(visits, practiceTodayBounds().from),
    upcomingAmount: formatUpcomingAmount(visits),
    createdAt: family.createdAt.toISOString(),
    closedAt: family.closedAt?.toISOString() ?? null,
    hasUndoLink: family._count.emailChanges > 0,
    eraseAfter: family.eraseAfter?.toISOString() ?? null,
    canCancelErasure: pendingErasure !== null,
    isErasureByPractice: pendingErasure?.isByPractice ?? false,
    intake: intake.ok ? toSubmittedIntakeFormData(intake.value, family.id) : null,
    isIntakeUnread,
    upcoming,
    past,
    bookAgain: lastVisit && isAccountOpen ? await loadRebookingOptions(lastVisit, nextVisit) : null,
    ...listedDocuments,
    payments,
    notes,
    noteVisits: noteVisitChoices(upcoming, past, noteVisit),
    noteVisitId: noteVisit?.id ?? null,
    followUps,
    consents: consentsOverview(consents),
    unconfirmedRequests,
  };
}

/** Returns the visits that a new note can be about: the latest ones, the next ones, and `noteVisit`. */
function noteVisitChoices(upcoming: readonly AdminRow[], past: readonly AdminRow[], noteVisit?: AdminRow) {
  const visits = new Set([...past.slice(0, MAX_NOTE_VISITS), ...upcoming.slice(0, MAX_NOTE_VISITS)]);
  if (noteVisit) visits.add(noteVisit);
  return [...visits].map(({ id, start, title, isCancelled }) => ({
    id,
    label: `${formatPracticeDateTime(start)}: ${truncateWithEllipsis(title, MAX_NOTE_VISIT_TITLE_LENGTH)}${isCancelled ? ", canceled" : ""}`,
  }));
}

/** Returns what booking the last visit again would book, and at which times. */
async function loadRebookingOptions(visit: AdminRow, nextVisit: AdminRow | undefined) {
  const kind = SHORT_VISIT_KIND_LABELS[visit.visitKind].toLowerCase();
  const text = `As on ${formatPracticeDateTime(new Date(visit.start))}: ${visit.title}, ${visit.duration} minutes, ${kind}. The family is told right away.`;
  return {
    id: visit.id,
    text,
    existingVisitText: nextVisit ? alreadyBookedText(nextVisit) : null,
    choices: await findNextVisitChoices(visit),
  };
}

async function listFamilyDocuments(userId: number) {
  const select = {
    id: true,
    fileName: true,
    fileSize: true,
    description: true,
    uploadedAt: true,
    reviewedAt: true,
    uploadedById: true,
    isSharedWithClient: true,
    virusFoundAt: true,
  } as const;
  const rows = await db.document.findMany({
    where: { userId },
    orderBy: { uploadedAt: "desc" },
    take: MAX_DOCUMENTS + 1,
    select,
  });
  const shortenDescription = createDescriptionShortener();
  const documents = rows
    .slice(0, MAX_DOCUMENTS)
    .map(({ id, fileName, description, fileSize, uploadedAt, reviewedAt, uploadedById, ...row }) => ({
      id,
      fileName: truncateFileName(fileName),
      ...shortenDescription(description),
      isFromConsultant: uploadedById !== userId,
      isShared: row.isSharedWithClient,
      isNew: reviewedAt === null && uploadedById === userId,
      virusText: infectedDocumentText(row.virusFoundAt, { isAdmin: true }),
      size: formatBytes(fileSize),
      uploadedAt: uploadedAt.toISOString(),
    }));
  return { documents, hasMoreDocuments: rows.length > MAX_DOCUMENTS };
}

/** Lists the family's payments. Failed attempts are not included. */
async function listFamilyPayments(userId: number) {
  const rows = await db.payment.findMany({
    where: { userId, state: "paid" },
    orderBy: { createdAt: "desc" },
    take: MAX_ROWS,
    select: {
      id: true,
      method: true,
      amountCents: true,
      refundedCents: true,
      paidAt: true,
      createdAt: true,
      appointment: { select: { id: true, title: true } },
    },
  });
  return rows.map(({ id, method, amountCents, refundedCents, paidAt, createdAt, appointment }) => ({
    id,
    method,
    amount: formatCents(amountCents),
    refunded: refundedCents > 0 ? formatCents(refundedCents) : null,
    paidAt: (paidAt ?? createdAt).toISOString(),
    appointment,
  }));
}
