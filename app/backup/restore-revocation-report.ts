import { formatCountWithNoun } from "../format-count-with-noun.ts";

/** `erasureRequestedBy`: the account that made the erasure request that was reapplied; null if it is unknown. */
export type AffectedAccount = { id: number; isAdmin: boolean; erasureRequestedBy?: number | null | undefined };

/** What was reapplied to the accounts of a restored database. */
export type ReappliedRevocations = {
  /** keyed by the keys of `REVOCATION_NOUNS`; a missing key counts as zero */
  counts: Readonly<Record<string, number>>;
  affectedAccounts: readonly AffectedAccount[];
  /** ids of accounts whose email address was changed after the backup, and now is the earlier one again */
  earlierEmailAccountIds: readonly number[];
  /** ids of documents that had been deleted after the backup, and now exist again */
  deletedDocumentIds: readonly number[];
  /** The time (UTC) since which earlier revocations are lost, if nobody has marked that as seen; otherwise null. */
  unknownSince: Date | null;
};

/**
 * Number of days after a restore during which no account is erased if it is unknown which erasure requests were
 * canceled after the backup, so that the families can be asked.
 */
export const ERASURE_DELAY_DAYS = 14;
/** Maximum number of documents that the report names. */
const MAX_NAMED_DOCUMENTS = 20;

const REVOCATION_NOUNS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  consents: ["withdrawn agreement", "withdrawn agreements"],
  passwords: ["changed password", "changed passwords"],
  passkeys: ["removed passkey", "removed passkeys"],
  addedPasskeys: ["added passkey", "added passkeys"],
  secondFactors: ["ended second factor", "ended second factors"],
  addedSecondFactors: ["new authenticator app", "new authenticator apps"],
  recoveryCodes: ["used or replaced recovery code", "used or replaced recovery codes"],
  erasureRequests: ["request for deletion", "requests for deletion"],
  keptAccounts: ["withdrawn request for deletion", "withdrawn requests for deletion"],
  closures: ["closed account", "closed accounts"],
  reopenings: ["reopened account", "reopened accounts"],
  sharing: ["document no longer shared", "documents no longer shared"],
  optOuts: ["email opt-out", "email opt-outs"],
  demotions: ["administrator’s ended rights", "administrators’ ended rights"],
  visits: ["canceled visit of such an account, without a refund", "canceled visits of such accounts, without a refund"],
};

/**
 * Returns what a restore reports about revocations between the backup of `backupAt` (ISO 8601, UTC) and the restore.
 * `reapplied` is null if they are unknown.
 */
export function describeRevocations(reapplied: ReappliedRevocations | null, backupAt: string): string {
  const unknownSince = reapplied === null ? backupAt : reapplied.unknownSince?.toISOString();
  const deletedDocumentIds = reapplied?.deletedDocumentIds ?? [];
  const counts = Object.entries(REVOCATION_NOUNS).flatMap(([name, [one, many]]) => {
    const count = reapplied?.counts[name] ?? 0;
    return count > 0 ? [formatCountWithNoun(count, one, many)] : [];
  });
  const earlierEmailAccountIds = reapplied?.earlierEmailAccountIds ?? [];
  const sentences: [isIncluded: boolean, sentence: string][] = [
    [counts.length > 0, `Applied again from the replaced database: ${counts.join("; ")}.`],
    [
      !unknownSince && counts.length === 0,
      "The replaced database knows of nothing that was withdrawn, removed or changed after the backup.",
    ],
    [
      earlierEmailAccountIds.length > 0,
      `Changed after the backup and as before again: the email address of the ${earlierEmailAccountIds.length === 1 ? "account" : "accounts"} ${earlierEmailAccountIds.join(", ")}.`,
    ],
    [
      deletedDocumentIds.length > 0,
      `Deleted after the backup and there again: ${formatCountWithNoun(deletedDocumentIds.length, "document", "documents")}, with the ${deletedDocumentIds.length === 1 ? "number" : "numbers"} ${deletedDocumentIds.slice(0, MAX_NAMED_DOCUMENTS).join(", ")}${deletedDocumentIds.length > MAX_NAMED_DOCUMENTS ? " …" : ""} (/documents/NUMBER/delete).`,
    ],
    [
      unknownSince !== undefined,
      `ATTENTION: What was withdrawn, removed or changed after ${unknownSince} is back, as no replaced database says what that was: agreements, passkeys, second factors, passwords, email addresses, shared documents, closed accounts and requests for deletion.${reapplied === null ? ` Nobody is deleted for ${ERASURE_DELAY_DAYS} days.` : ""} Ask the families, and give them password links (docs/operations.md, section 6).`,
    ],
  ];
  return sentences.map(([isIncluded, sentence]) => (isIncluded ? ` ${sentence}` : "")).join("");
}
