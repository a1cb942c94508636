import type { Transaction } from "../db/database-client.server.ts";
import type { Anchor } from "./audit-anchors.server.ts";
import { INVALID_HEAD_SIGNATURE, type ChainHead } from "./audit-chain.server.ts";

/** With `isInvalid`, the chain that ends with this entry is marked as invalid. */
type CommittedEntry = Anchor & { isInvalid?: true };

/**
 * The last entry that this process knows to be committed. A stored chain without it was replaced by an older one, which
 * the signature does not show: the older head was signed, too. Other processes only add entries after it.
 */
let lastCommittedEntry: CommittedEntry | null = null;

export function getLastCommittedEntry(): CommittedEntry | null {
  return lastCommittedEntry;
}

/**
 * Remembers an entry that was committed, unless a later one is known: two transactions may report their commits in
 * another order.
 */
export function rememberCommittedEntry(entry: Anchor): void {
  if (entry.sequence > (lastCommittedEntry?.sequence ?? 0)) lastCommittedEntry = entry;
}

/**
 * Remembers the end of the chain after a commit. A head that is marked as invalid is followed even if it is lower: the
 * loss is stored, and the chain that a person accepts later continues from there.
 */
export function rememberCommittedHead({ lastSequence, lastHash, signature }: ChainHead): void {
  const entry = { sequence: lastSequence, hash: lastHash };
  if (signature === INVALID_HEAD_SIGNATURE) lastCommittedEntry = { ...entry, isInvalid: true };
  else rememberCommittedEntry(entry);
}

/** Forgets the entry, because the chain was replaced on purpose. */
export function forgetCommittedEntry(): void {
  lastCommittedEntry = null;
}

/**
 * Checks whether the stored chain has another entry in the place of `entry`, or none, or the mark that it is invalid was
 * taken away: accepting the chain adds an entry. `entry` must have been committed
 * before `head` was read.
 */
export async function lacksEntry(
  reader: Pick<Transaction, "auditEntry">,
  head: ChainHead | null,
  entry: CommittedEntry | null,
): Promise<boolean> {
  if (!entry) return false;
  if (!head || head.lastSequence < entry.sequence) return true;
  if (entry.isInvalid && head.signature !== INVALID_HEAD_SIGNATURE && head.lastSequence === entry.sequence) return true;
  if (head.lastSequence === entry.sequence) return head.lastHash !== entry.hash;
  // Retention deleted it. The beginning is signed.
  if (entry.sequence < head.firstSequence) return false;
  const where = { sequence: entry.sequence };
  return (await reader.auditEntry.findUnique({ where, select: { hash: true } }))?.hash !== entry.hash;
}
