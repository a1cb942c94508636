import { findLatestAuditEntryOfFamily } from "../../audit/latest-audit-entries.server.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { db, type Transaction } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import {
  erasureCanceledContent,
  erasureCanceledForConsultantContent,
  type CanceledBy,
} from "../../mail/messages/erasure-messages.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { notifyAccount, notifyConsultant } from "./queue-account-message.server.ts";

/** Until when an account can be kept, and when its deletion was requested (UTC). */
type PendingErasure = {
  eraseAfter: Date;
  /** Null if the access log has no entry for it. */
  askedAt: Date | null;
  /** True if the consultant scheduled the deletion for the family. */
  isByPractice: boolean;
};

/** Returns null for an account that is not scheduled for deletion, or that can no longer be kept. */
export async function findPendingErasure(
  userId: number,
  reader: Pick<Transaction, "user" | "auditEntry"> = db,
): Promise<PendingErasure | null> {
  const where = { id: userId, isAdmin: false, eraseAfter: { gt: now() } };
  const account = await reader.user.findFirst({ where, select: { eraseAfter: true } });
  if (!account?.eraseAfter) return null;
  const { at = null, actorId = null } =
    (await findLatestAuditEntryOfFamily("account-erasure-requested", userId, reader)) ?? {};
  return { eraseAfter: account.eraseAfter, askedAt: at, isByPractice: actorId !== null && actorId !== userId };
}

/**
 * Cancels the deletion of an account, and notifies the family and the consultant. Appointments and other things that
 * were already canceled are not restored. Returns false if there is nothing to cancel.
 */
export async function cancelPendingErasure(
  transaction: Transaction,
  userId: number,
  { canceledBy, actorId }: { canceledBy: CanceledBy; actorId: number },
): Promise<boolean> {
  const wasRequestedByPractice = (await findPendingErasure(userId, transaction))?.isByPractice ?? false;
  const where = { id: userId, isAdmin: false, eraseAfter: { gt: now() } };
  const { count } = await transaction.user.updateMany({ where, data: { eraseAfter: null } });
  if (count === 0) return false;
  const subjectKey = `kept ${now().toISOString()}`;
  await notifyAccount(
    transaction,
    userId,
    (account) => ({
      event: "erasure-withdrawn",
      subjectKey,
      content: erasureCanceledContent(account, formatPracticeDateTime(now()), env.practice.phone, canceledBy),
    }),
    { isForClosed: canceledBy === "practice" },
  );
  await notifyConsultant(transaction, userId, ({ firstName }) => ({
    event: "family-stays",
    subjectKey,
    content: erasureCanceledForConsultantContent(firstName, userId, { wasByPractice: wasRequestedByPractice }),
  }));
  recordAuditInTransaction(transaction, {
    action: "account-erasure-cancelled",
    actorId,
    familyId: userId,
    objectId: userId,
  });
  return true;
}

/** Checks whether an account is scheduled for deletion because of a request made at `since` (UTC) or later. */
export async function isErasureRequestedSince(
  userId: number,
  since: Date,
  reader: Pick<Transaction, "user" | "auditEntry"> = db,
): Promise<boolean> {
  const pending = await findPendingErasure(userId, reader);
  return pending !== null && (pending.askedAt === null || pending.askedAt >= since);
}
