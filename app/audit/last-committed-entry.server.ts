import type { Transaction } from "../db/client.server.ts";
import type { Anchor } from "./anchors.server.ts";
import { INVALID_HEAD_SIGNATURE, type ChainHead } from "./chain.server.ts";

/**
 * The last entry that this process knows to be committed. A stored chain without it was replaced by an older one, which
 * the signature does not show: the older head was signed, too. Other processes only add entries after it.
 */
let lastCommittedEntry: Anchor | null = null;

export function getLastCommittedEntry(): Anchor | null {
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
  if (signature === INVALID_HEAD_SIGNATURE) forgetCommittedEntry();
  if (lastSequence > 0) rememberCommittedEntry({ sequence: lastSequence, hash: lastHash });
}

/** Forgets the entry, because the chain was replaced on purpose or the loss of the entry is stored. */
export function forgetCommittedEntry(): void {
  lastCommittedEntry = null;
}

/**
 * Checks whether the stored chain has another entry in the place of `entry`, or none. `entry` must have been committed
 * before `head` was read.
 */
export async function lacksEntry(
  reader: Pick<Transaction, "auditEntry">,
  head: ChainHead | null,
  entry: Anchor | null,
): Promise<boolean> {
  if (!entry) return false;
  if (!head || head.lastSequence < entry.sequence) return true;
  if (head.lastSequence === entry.sequence) return head.lastHash !== entry.hash;
  // Retention deleted it. The beginning is signed.
  if (entry.sequence < head.firstSequence) return false;
  const where = { sequence: entry.sequence };
  return (await reader.auditEntry.findUnique({ where, select: { hash: true } }))?.hash !== entry.hash;
}
