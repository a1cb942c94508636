import { formatCount } from "../format-count.ts";

/** What was applied again to the accounts of a restored database. */
export type ReappliedRevocations = {
  /** by the keys of `NOUNS`; one that is missing counts as none */
  counts: Readonly<Record<string, number>>;
  changedAccounts: readonly { id: number; isAdmin: boolean }[];
  /** accounts whose address was changed after the backup, and is the earlier one again */
  withEarlierEmail: readonly number[];
  /** Earlier revocations were lost already, and nobody has marked that as seen. */
  isIncomplete: boolean;
};

const NOUNS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  consents: ["withdrawn agreement", "withdrawn agreements"],
  passwords: ["changed password", "changed passwords"],
  passkeys: ["removed passkey", "removed passkeys"],
  secondFactors: ["ended second factor", "ended second factors"],
  recoveryCodes: ["used or replaced recovery code", "used or replaced recovery codes"],
  erasureRequests: ["request for deletion", "requests for deletion"],
  keptAccounts: ["taken back request for deletion", "taken back requests for deletion"],
  closures: ["closed account", "closed accounts"],
  reopenings: ["reopened account", "reopened accounts"],
  demotions: ["administrator’s ended rights", "administrators’ ended rights"],
  visits: ["canceled visit of such an account, without a refund", "canceled visits of such accounts, without a refund"],
};

/**
 * What a restore says of what was revoked between the backup of `backupAt` (ISO 8601, UTC) and the restore. `reapplied` is
 * null where that is not known.
 */
export function describeRevocations(reapplied: ReappliedRevocations | null, backupAt: string): string {
  const isLost = reapplied === null || reapplied.isIncomplete;
  const counts = Object.entries(NOUNS).flatMap(([name, [one, many]]) => {
    const count = reapplied?.counts[name] ?? 0;
    return count > 0 ? [formatCount(count, one, many)] : [];
  });
  const withEarlierEmail = reapplied?.withEarlierEmail ?? [];
  const sentences: [isSaid: boolean, sentence: string][] = [
    [counts.length > 0, `Applied again from the replaced database: ${counts.join("; ")}.`],
    [
      !isLost && counts.length === 0,
      "The replaced database knows of nothing that was withdrawn, removed or changed after the backup.",
    ],
    [
      withEarlierEmail.length > 0,
      `Changed after the backup and as before again: the email address of the ${withEarlierEmail.length === 1 ? "account" : "accounts"} ${withEarlierEmail.join(", ")}.`,
    ],
    [
      isLost,
      `ATTENTION: What was withdrawn, removed or changed after ${backupAt} is back, as no replaced database says what that was: agreements, passkeys, second factors, passwords, email addresses, closed accounts and requests for deletion. Ask the families, and give them password links (docs/operations.md, section 6).`,
    ],
  ];
  return sentences.map(([isSaid, sentence]) => (isSaid ? ` ${sentence}` : "")).join("");
}
