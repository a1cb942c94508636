import { findLatestEntryOfFamily } from "../../audit/latest-entry.server.ts";
import { recordAuditInTransaction } from "../../audit/record.server.ts";
import { now } from "../../clock.ts";
import { db, type Transaction } from "../../db/client.server.ts";
import { env } from "../../env.server.ts";
import { erasureCanceledContent, familyStaysContent, type CanceledBy } from "../../mail/messages/erasure-messages.ts";
import { formatPracticeTime } from "../../practice/format-time.server.ts";
import { notifyAccount, notifyConsultant } from "./notify.server.ts";

/** Until when an account can be kept, and since when it is to be deleted (UTC). */
type PendingErasure = {
  eraseAfter: Date;
  /** Null where the access log does not say. */
  askedAt: Date | null;
  /** The consultant scheduled it for the family. */
  isByPractice: boolean;
};

/** Null for an account that is not to be deleted, or can't be kept anymore. */
export async function findPendingErasure(
  userId: number,
  reader: Pick<Transaction, "user" | "auditEntry"> = db,
): Promise<PendingErasure | null> {
  const where = { id: userId, isAdmin: false, eraseAfter: { gt: now() } };
  const account = await reader.user.findFirst({ where, select: { eraseAfter: true } });
  if (!account?.eraseAfter) return null;
  const { at = null, actorId = null } =
    (await findLatestEntryOfFamily("account-erasure-requested", userId, reader)) ?? {};
  return { eraseAfter: account.eraseAfter, askedAt: at, isByPractice: actorId !== null && actorId !== userId };
}

/**
 * Cancels the deletion of an account, and notifies the family and the consultant. What was canceled stays
 * canceled. False where there is nothing to cancel.
 */
export async function withdrawErasure(
  transaction: Transaction,
  userId: number,
  { by, actorId }: { by: CanceledBy; actorId: number },
): Promise<boolean> {
  const wasByPractice = (await findPendingErasure(userId, transaction))?.isByPractice ?? false;
  const where = { id: userId, isAdmin: false, eraseAfter: { gt: now() } };
  const { count } = await transaction.user.updateMany({ where, data: { eraseAfter: null } });
  if (count === 0) return false;
  const about = `kept ${now().toISOString()}`;
  await notifyAccount(
    transaction,
    userId,
    (account) => ({
      event: "erasure-withdrawn",
      about,
      content: erasureCanceledContent(account, formatPracticeTime(now()), env.practice.phone, by),
    }),
    { isForClosed: by === "practice" },
  );
  await notifyConsultant(transaction, userId, ({ firstName }) => ({
    event: "family-stays",
    about,
    content: familyStaysContent(firstName, userId, { wasByPractice }),
  }));
  recordAuditInTransaction(transaction, {
    action: "account-erasure-cancelled",
    actorId,
    familyId: userId,
    objectId: userId,
  });
  return true;
}

/** Whether an account is to be deleted because of what was asked for at `since` (UTC) or later. */
export async function isErasureRequestedSince(
  userId: number,
  since: Date,
  reader: Pick<Transaction, "user" | "auditEntry"> = db,
): Promise<boolean> {
  const pending = await findPendingErasure(userId, reader);
  return pending !== null && (pending.askedAt === null || pending.askedAt >= since);
}
