import {
  type AccountRevocations,
  planAccountRevocations,
  readReplacedAccounts,
  type ReplacedAccount,
  iterateRestoredAccounts,
} from "../accounts/restored/restored-accounts.server.ts";
import { reapplyOptOuts, readOptOuts } from "../mail/reapply-opt-outs.server.ts";
import {
  findLatestAuditEntry,
  readLastActorsFromReplacedDatabase,
  readLatestEntryFromReplacedDatabase,
  readHashesFromReplacedDatabase,
} from "../audit/latest-audit-entries.server.ts";
import { recordAuditNow } from "../audit/record-audit.server.ts";
import {
  reapplyCancellations,
  type CanceledVisitActors,
  readCanceledVisits,
} from "../booking/reapply-cancellations.server.ts";
import {
  readWithdrawnConsents,
  reapplyConsentWithdrawals,
  type WithdrawnConsents,
} from "../consents/reapply-consent-withdrawals.server.ts";
import { inTransaction } from "../db/database-client.server.ts";
import type { ReplacedDatabase } from "../db/replaced-database.ts";
import {
  readReplacedDocuments,
  type ReplacedDocuments,
  reapplyUnsharing,
} from "../documents/reapply-unsharing.server.ts";
import { MINUTE_MS } from "../time-units.ts";
import {
  LOST_REVOCATIONS_CHECKED,
  unknownRevocationsEvent,
  revocationsUnknownSince,
  REVOCATIONS_LOST,
} from "./unknown-revocations.server.ts";
import type { AffectedAccount, ReappliedRevocations } from "./restore-revocation-report.ts";

/**
 * What the database that a restore replaces knows about revoked access and withdrawn or canceled choices. Maps are
 * keyed by account id.
 */
export type Revocations = {
  accounts: Map<number, ReplacedAccount>;
  withdrawnConsents: Map<number, WithdrawnConsents>;
  canceledVisits: Map<number, CanceledVisitActors>;
  optOuts: Map<number, ReadonlySet<string>>;
  documents: ReplacedDocuments;
  /** The account that made the last erasure request of each account; keyed by account id. */
  erasureRequestedBy: Map<number, number | null>;
  /** Hashes of the database's audit entries up to the time of the backup. */
  entryHashes: Set<string>;
  /**
   * If the database was itself restored without knowing what had been revoked since an instant (UTC), and nobody has
   * marked that as seen yet: that instant. Null if nothing is unknown.
   */
  unknownSince: Date | null;
};

/** Maximum delay between the time recorded in a backup and its snapshot. */
const SNAPSHOT_DELAY_MS = 10 * MINUTE_MS;

/**
 * Reads what a database knows that a backup of `backupAt` is about to replace. Returns null if the database can't tell,
 * because an older program created it without one of the tables or columns, or because a table is too long.
 */
export async function readRevocations(database: ReplacedDatabase, backupAt: Date): Promise<Revocations | null> {
  try {
    const latest = await readLatestEntryFromReplacedDatabase(database, [REVOCATIONS_LOST, LOST_REVOCATIONS_CHECKED]);
    return {
      accounts: await readReplacedAccounts(database),
      withdrawnConsents: await readWithdrawnConsents(database),
      canceledVisits: await readCanceledVisits(database),
      entryHashes: await readHashesFromReplacedDatabase(database, new Date(backupAt.getTime() + SNAPSHOT_DELAY_MS)),
      optOuts: await readOptOuts(database),
      documents: await readReplacedDocuments(database),
      erasureRequestedBy: await readLastActorsFromReplacedDatabase(database, "account-erasure-requested"),
      unknownSince: latest?.action === REVOCATIONS_LOST ? (revocationsUnknownSince(latest) ?? latest.at) : null,
    };
  } catch {
    // A restore does not fail because of this; its report says that nothing is known.
    return null;
  }
}

/**
 * Applies the revocations known by the replaced database to the restored one, so that nothing that was revoked after
 * the backup is valid again. Returns null if they are unknown: there was no such database, or it does not continue the
 * backup, for example because it was restored from an older one.
 */
export async function applyRevocations(revocations: Revocations | null): Promise<ReappliedRevocations | null> {
  const last = await findLatestAuditEntry();
  if (!revocations || !last || !revocations.entryHashes.has(last.hash)) return null;
  const counts: Record<string, number> = {};
  const affectedAccounts: AffectedAccount[] = [];
  const earlierEmailAccountIds: number[] = [];
  for await (const account of iterateRestoredAccounts()) {
    const replaced = revocations.accounts.get(account.id);
    if (!replaced || replaced.createdAt !== account.createdAt.getTime()) continue;
    if (replaced.email !== account.email) earlierEmailAccountIds.push(account.id);
    const applied = await applyRevocationsToAccount(account, replaced, revocations);
    for (const [name, count] of Object.entries(applied)) counts[name] = (counts[name] ?? 0) + count;
    const { id, isAdmin } = account;
    const erasureRequestedBy = applied.erasureRequests > 0 ? revocations.erasureRequestedBy.get(id) : undefined;
    if (sumCounts(applied) > 0) affectedAccounts.push({ id, isAdmin, erasureRequestedBy });
  }
  const { stopped, deletedIds } = await reapplyUnsharing(revocations.documents, (id) => revocations.accounts.has(id));
  return {
    counts: { ...counts, sharing: stopped },
    affectedAccounts,
    earlierEmailAccountIds,
    deletedDocumentIds: deletedIds,
    unknownSince: revocations.unknownSince,
  };
}

async function applyRevocationsToAccount(
  account: Parameters<typeof planAccountRevocations>[0],
  replaced: ReplacedAccount,
  revocations: Revocations,
): Promise<AccountRevocations & { consents: number; visits: number; optOuts: number }> {
  const { counts, apply } = planAccountRevocations(account, replaced);
  const withdrawnConsents = revocations.withdrawnConsents.get(account.id) ?? new Map();
  const canceledVisits = revocations.canceledVisits.get(account.id) ?? new Map();
  const topics = revocations.optOuts.get(account.id) ?? new Set<string>();
  if (sumCounts(counts) + withdrawnConsents.size + canceledVisits.size + topics.size === 0)
    return { ...counts, consents: 0, visits: 0, optOuts: 0 };
  return inTransaction(async (transaction) => {
    if (sumCounts(counts) > 0) await apply(transaction);
    const consents = await reapplyConsentWithdrawals(transaction, account.id, withdrawnConsents);
    const visits = await reapplyCancellations(transaction, account.id, canceledVisits);
    const optOuts = await reapplyOptOuts(transaction, account.id, topics);
    return { ...counts, consents, visits, optOuts };
  });
}

function sumCounts(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/**
 * Records what `applyRevocations` did, or that nothing is known after `backupAt`. Must be called after the restored
 * access log is signed again.
 */
export async function recordReappliedRevocations(
  reapplied: ReappliedRevocations | null,
  backupAt: Date,
): Promise<void> {
  for (const { id, isAdmin, erasureRequestedBy } of reapplied?.affectedAccounts ?? []) {
    const familyId = isAdmin ? null : id;
    await recordAuditNow({ action: "revocations-reapplied", actorId: null, familyId, objectId: id });
    // The requester determines refunds and the texts for the family and the consultant.
    if (erasureRequestedBy !== undefined)
      await recordAuditNow({
        action: "account-erasure-requested",
        actorId: erasureRequestedBy,
        familyId,
        objectId: id,
      });
  }
  const unknownSince = reapplied === null ? backupAt : reapplied.unknownSince;
  // Recorded last, because a later restore and the dashboard look for it.
  if (unknownSince) await recordAuditNow(unknownRevocationsEvent(unknownSince));
}
