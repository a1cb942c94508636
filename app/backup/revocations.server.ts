import {
  type AccountRevocations,
  compareRestoredAccount,
  readReplacedAccounts,
  type ReplacedAccount,
  restoredAccounts,
} from "../accounts/restored/restored-accounts.server.ts";
import { reapplyOptOuts, readOptOuts } from "../mail/reapply-opt-outs.server.ts";
import {
  findLatestEntry,
  readActorsOfReplaced,
  readLatestReplacedEntry,
  readReplacedHashes,
} from "../audit/latest-entry.server.ts";
import { recordAuditNow } from "../audit/record.server.ts";
import {
  reapplyCancellations,
  type CancelledVisits,
  readCancelledVisits,
} from "../booking/reapply-cancellations.server.ts";
import {
  readWithdrawnConsents,
  reapplyWithdrawals,
  type WithdrawnConsents,
} from "../consents/reapply-withdrawals.server.ts";
import { inTransaction } from "../db/client.server.ts";
import type { ReplacedDatabase } from "../db/replaced-database.ts";
import {
  readReplacedDocuments,
  type ReplacedDocuments,
  reapplyUnsharing,
} from "../documents/reapply-unsharing.server.ts";
import { MINUTE_MS } from "../duration.ts";
import {
  LOST_REVOCATIONS_CHECKED,
  unknownRevocationsEvent,
  lostSinceOf,
  REVOCATIONS_LOST,
} from "./unknown-revocations.server.ts";
import type { ChangedAccount, ReappliedRevocations } from "./restore-revocation-report.ts";

/** What the database that a restore replaces knows of access and wishes that ended; maps are by the account. */
export type Revocations = {
  accounts: Map<number, ReplacedAccount>;
  withdrawnConsents: Map<number, WithdrawnConsents>;
  cancelledVisits: Map<number, CancelledVisits>;
  optOuts: Map<number, ReadonlySet<string>>;
  documents: ReplacedDocuments;
  /** Who asked for the deletion of an account last, by the account. */
  erasureRequestedBy: Map<number, number | null>;
  /** The hashes of its audit entries up to the time of the backup. */
  entryHashes: Set<string>;
  /**
   * It was itself restored without knowing what had been revoked since this instant (UTC), and nobody has marked that as
   * seen yet; null: it knows everything.
   */
  lostSince: Date | null;
};

/** A snapshot is taken somewhat later than the time that stands in its backup. */
const SNAPSHOT_DELAY_MS = 10 * MINUTE_MS;

/**
 * Reads what a database knows that a backup of `backupAt` is about to replace. Null where it can't tell: an older program
 * made it without one of the tables or columns, or one of them is too long.
 */
export async function readRevocations(database: ReplacedDatabase, backupAt: Date): Promise<Revocations | null> {
  try {
    const latest = await readLatestReplacedEntry(database, [REVOCATIONS_LOST, LOST_REVOCATIONS_CHECKED]);
    return {
      accounts: await readReplacedAccounts(database),
      withdrawnConsents: await readWithdrawnConsents(database),
      cancelledVisits: await readCancelledVisits(database),
      entryHashes: await readReplacedHashes(database, new Date(backupAt.getTime() + SNAPSHOT_DELAY_MS)),
      optOuts: await readOptOuts(database),
      documents: await readReplacedDocuments(database),
      erasureRequestedBy: await readActorsOfReplaced(database, "account-erasure-requested"),
      lostSince: latest?.action === REVOCATIONS_LOST ? (lostSinceOf(latest) ?? latest.at) : null,
    };
  } catch {
    // A restore does not fail for it: its last line says that nothing is known.
    return null;
  }
}

/**
 * Applies to the restored database what the replaced one knew, so that nothing that was revoked after the backup is valid
 * again. Null where that is not known: there was no such database, or it does not continue the backup, for instance
 * because it was restored from an older one.
 */
export async function applyRevocations(known: Revocations | null): Promise<ReappliedRevocations | null> {
  const last = await findLatestEntry();
  if (!known || !last || !known.entryHashes.has(last.hash)) return null;
  const counts: Record<string, number> = {};
  const families: ChangedAccount[] = [];
  const withEarlierEmail: number[] = [];
  for await (const account of restoredAccounts()) {
    const replaced = known.accounts.get(account.id);
    if (!replaced || replaced.createdAt !== account.createdAt.getTime()) continue;
    if (replaced.email !== account.email) withEarlierEmail.push(account.id);
    const applied = await applyToAccount(account, replaced, known);
    for (const [name, count] of Object.entries(applied)) counts[name] = (counts[name] ?? 0) + count;
    const { id, isAdmin } = account;
    const erasureRequestedBy = applied.erasureRequests > 0 ? known.erasureRequestedBy.get(id) : undefined;
    if (sumOf(applied) > 0) families.push({ id, isAdmin, erasureRequestedBy });
  }
  const { stopped, deletedIds } = await reapplyUnsharing(known.documents, (id) => known.accounts.has(id));
  return {
    counts: { ...counts, sharing: stopped },
    changedAccounts: families,
    withEarlierEmail,
    deletedDocumentIds: deletedIds,
    lostSince: known.lostSince,
  };
}

async function applyToAccount(
  account: Parameters<typeof compareRestoredAccount>[0],
  replaced: ReplacedAccount,
  known: Revocations,
): Promise<AccountRevocations & { consents: number; visits: number; optOuts: number }> {
  const { counts, apply } = compareRestoredAccount(account, replaced);
  const withdrawnConsents = known.withdrawnConsents.get(account.id) ?? new Map();
  const cancelledVisits = known.cancelledVisits.get(account.id) ?? new Map();
  const topics = known.optOuts.get(account.id) ?? new Set<string>();
  if (sumOf(counts) + withdrawnConsents.size + cancelledVisits.size + topics.size === 0)
    return { ...counts, consents: 0, visits: 0, optOuts: 0 };
  return inTransaction(async (transaction) => {
    if (sumOf(counts) > 0) await apply(transaction);
    const consents = await reapplyWithdrawals(transaction, account.id, withdrawnConsents);
    const visits = await reapplyCancellations(transaction, account.id, cancelledVisits);
    const optOuts = await reapplyOptOuts(transaction, account.id, topics);
    return { ...counts, consents, visits, optOuts };
  });
}

function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/**
 * Records what `applyRevocations` did, or that nothing was known after `backupAt`, once the restored access log is signed
 * anew.
 */
export async function recordRevocations(reapplied: ReappliedRevocations | null, backupAt: Date): Promise<void> {
  for (const { id, isAdmin, erasureRequestedBy } of reapplied?.changedAccounts ?? []) {
    const familyId = isAdmin ? null : id;
    await recordAuditNow({ action: "revocations-reapplied", actorId: null, familyId, objectId: id });
    // Whose wish it is decides about refunds, and what the family and the consultant read.
    if (erasureRequestedBy !== undefined)
      await recordAuditNow({
        action: "account-erasure-requested",
        actorId: erasureRequestedBy,
        familyId,
        objectId: id,
      });
  }
  const lostSince = reapplied === null ? backupAt : reapplied.lostSince;
  // Last, because it is what a later restore and the dashboard look for.
  if (lostSince) await recordAuditNow(unknownRevocationsEvent(lostSince));
}
