import type { Person } from "../accounts/person.ts";
import { db } from "../db/client.server.ts";
import { visibleTo } from "../documents/documents.server.ts";
import { formatBytes } from "../documents/rules.ts";

/** How many of a family's records its own export leaves out: they are the consultant's to review first. */
export type ExcludedCounts = { notes: number; unshared: number };

/** What a family's export will have: its documents, how large they are in all, and what it leaves out. */
export async function exportSummary(family: Person) {
  const [{ _count: documents, _sum }, leftOut] = await Promise.all([
    db.document.aggregate({ where: visibleTo(family), _count: true, _sum: { fileSize: true } }),
    countExcluded(family),
  ]);
  return { documents, size: formatBytes(_sum.fileSize ?? 0), ...leftOut };
}

/**
 * Notes are those about the family, what the consultant wrote for herself beside payments and refunds, and what she
 * entered as a request or an incident.
 */
export async function countExcluded({ id: userId }: Person): Promise<ExcludedCounts> {
  const [familyNotes, paymentNotes, refundReasons, enteredCases, unshared] = await Promise.all([
    db.familyNote.count({ where: { userId } }),
    db.payment.count({ where: { userId, note: { not: null } } }),
    db.refund.count({ where: { payment: { userId }, decidedById: { not: null } } }),
    db.complianceCase.count({ where: { userId, email: null } }),
    db.document.count({ where: { userId, isSharedWithClient: false } }),
  ]);
  return { notes: familyNotes + paymentNotes + refundReasons + enteredCases, unshared };
}
