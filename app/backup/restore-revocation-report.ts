import { formatCount } from "../format-count.ts";

/** `erasureRequestedBy`: who asked for the deletion that was applied again; null where that is not known. */
export type ChangedAccount = { id: number; isAdmin: boolean; erasureRequestedBy?: number | null | undefined };

/** What was applied again to the accounts of a restored database. */
export type ReappliedRevocations = {
  /** by the keys of `NOUNS`; one that is missing counts as none */
  counts: Readonly<Record<string, number>>;
  changedAccounts: readonly ChangedAccount[];
  /** accounts whose address was changed after the backup, and is the earlier one again */
  withEarlierEmail: readonly number[];
  /** documents that had been deleted after the backup, and are there again */
  deletedDocumentIds: readonly number[];
  /** Since when earlier revocations were lost already (UTC), and nobody has marked that as seen; null: none were. */
  lostSince: Date | null;
};

/**
 * Where requests for deletion that were taken back can't be known, those in a backup wait for so long, so that the
 * families can be asked.
 */
export const ERASURE_PAUSE_DAYS = 14;
/** The documents that the last line names. */
const MAX_NAMED = 20;

const NOUNS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  consents: ["withdrawn agreement", "withdrawn agreements"],
  passwords: ["changed password", "changed passwords"],
  passkeys: ["removed passkey", "removed passkeys"],
  addedPasskeys: ["added passkey", "added passkeys"],
  secondFactors: ["ended second factor", "ended second factors"],
  addedSecondFactors: ["new authenticator app", "new authenticator apps"],
  recoveryCodes: ["used or replaced recovery code", "used or replaced recovery codes"],
  erasureRequests: ["request for deletion", "requests for deletion"],
  keptAccounts: ["taken back request for deletion", "taken back requests for deletion"],
  closures: ["closed account", "closed accounts"],
  reopenings: ["reopened account", "reopened accounts"],
  sharing: ["document that is shared no more", "documents that are shared no more"],
  optOuts: ["kind of mail that was turned off", "kinds of mail that were turned off"],
  demotions: ["administrator’s ended rights", "administrators’ ended rights"],
  visits: ["canceled visit of such an account, without a refund", "canceled visits of such accounts, without a refund"],
};

/**
 * What a restore says of what was revoked between the backup of `backupAt` (ISO 8601, UTC) and the restore. `reapplied` is
 * null where that is not known.
 */
export function describeRevocations(reapplied: ReappliedRevocations | null, backupAt: string): string {
  const lostSince = reapplied === null ? backupAt : reapplied.lostSince?.toISOString();
  const deletedDocumentIds = reapplied?.deletedDocumentIds ?? [];
  const counts = Object.entries(NOUNS).flatMap(([name, [one, many]]) => {
    const count = reapplied?.counts[name] ?? 0;
    return count > 0 ? [formatCount(count, one, many)] : [];
  });
  const withEarlierEmail = reapplied?.withEarlierEmail ?? [];
  const sentences: [isIncluded: boolean, sentence: string][] = [
    [counts.length > 0, `Applied again from the replaced database: ${counts.join("; ")}.`],
    [
      !lostSince && counts.length === 0,
      "The replaced database knows of nothing that was withdrawn, removed or changed after the backup.",
    ],
    [
      withEarlierEmail.length > 0,
      `Changed after the backup and as before again: the email address of the ${withEarlierEmail.length === 1 ? "account" : "accounts"} ${withEarlierEmail.join(", ")}.`,
    ],
    [
      deletedDocumentIds.length > 0,
      `Deleted after the backup and there again: ${formatCount(deletedDocumentIds.length, "document", "documents")}, with the ${deletedDocumentIds.length === 1 ? "number" : "numbers"} ${deletedDocumentIds.slice(0, MAX_NAMED).join(", ")}${deletedDocumentIds.length > MAX_NAMED ? " …" : ""} (/documents/NUMBER/delete).`,
    ],
    [
      lostSince !== undefined,
      `ATTENTION: What was withdrawn, removed or changed after ${lostSince} is back, as no replaced database says what that was: agreements, passkeys, second factors, passwords, email addresses, shared documents, closed accounts and requests for deletion.${reapplied === null ? ` Nobody is deleted for ${ERASURE_PAUSE_DAYS} days.` : ""} Ask the families, and give them password links (docs/operations.md, section 6).`,
    ],
  ];
  return sentences.map(([isIncluded, sentence]) => (isIncluded ? ` ${sentence}` : "")).join("");
}
