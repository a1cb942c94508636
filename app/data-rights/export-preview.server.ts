import type { Person } from "../accounts/person.ts";
import { countHiddenEntries } from "../audit/list-audit-entries.server.ts";
import { isReasonOfCancellation } from "../checkout/cancellation/refund-reasons.ts";
import { db } from "../db/database-client.server.ts";
import { visibleDocumentsCondition } from "../documents/documents.server.ts";
import { formatBytes } from "../documents/document-file-rules.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";
import { formatAcceptanceForExport } from "./format-exported-account.server.ts";
import { ACCEPTED_TERMS_SELECT } from "./exported-rows.server.ts";
import { buildOwnPaymentsCondition } from "./own-payments.server.ts";
import { findConfirmedEmailHistory } from "./family-data-conditions.server.ts";

/** More than the payments of any family. */
const MAX_REFUNDS = 10_000;

/**
 * Returns what a family's export will contain: the number and total size of its documents, its accepted terms, and what
 * it leaves out.
 */
export async function previewExport(family: Person) {
  const [{ _count: documents, _sum }, leftOut, { termsAcceptances }] = await Promise.all([
    db.document.aggregate({ where: visibleDocumentsCondition(family), _count: true, _sum: { fileSize: true } }),
    describeExcludedRecords(family),
    db.user.findUniqueOrThrow({ where: { id: family.id }, select: ACCEPTED_TERMS_SELECT }),
  ]);
  const acceptedTerms = termsAcceptances.map(formatAcceptanceForExport);
  return { documents, size: formatBytes(_sum.fileSize ?? 0), leftOut, acceptedTerms };
}

/**
 * Returns a text with the number of records of each kind that a family's own export leaves out, because the consultant
 * reviews them first; null if there are none. Notes are notes about the family, the consultant's own remarks on
 * payments and refunds, and incidents.
 */
export async function describeExcludedRecords({ id: userId }: Person): Promise<string | null> {
  const payment = await buildOwnPaymentsCondition(userId, await findConfirmedEmailHistory(userId));
  const [familyNotes, paymentNotes, refundRemarks, incidents, documents, followUps, logEntries] = await Promise.all([
    db.familyNote.count({ where: { userId } }),
    db.payment.count({ where: { ...payment, note: { not: null } } }),
    countRefundRemarks(payment),
    db.complianceCase.count({ where: { userId, kind: "incident" } }),
    db.document.count({ where: { userId, isSharedWithClient: false } }),
    db.followUp.count({ where: { userId, isShared: false } }),
    countHiddenEntries(userId),
  ]);
  const notes = familyNotes + paymentNotes + refundRemarks + incidents;
  const parts = [
    notes > 0 && `${formatCountWithNoun(notes, "note")} that the consultant wrote for her own records`,
    documents > 0 && `${formatCountWithNoun(documents, "document")} that she has not shared`,
    followUps > 0 && `${formatCountWithNoun(followUps, "follow-up")} that she has not shared`,
    logEntries > 0 && `${formatCountWithNoun(logEntries, "entry", "entries")} of the access log about her own records`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : new Intl.ListFormat("en-US", { type: "conjunction" }).format(parts);
}

/** Counts the refunds that the consultant decided by hand: their reasons are in her own words, and stored encrypted. */
async function countRefundRemarks(payment: Awaited<ReturnType<typeof buildOwnPaymentsCondition>>): Promise<number> {
  const where = { payment, decidedById: { not: null } };
  const rows = await db.refund.findMany({ where, take: MAX_REFUNDS, select: { reason: true } });
  return rows.filter(({ reason }) => !isReasonOfCancellation(reason)).length;
}
