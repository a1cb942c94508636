import type { Transaction } from "../db/database-client.server.ts";
import { appendAnchor } from "./audit-anchors.server.ts";
import {
  INVALID_HEAD_SIGNATURE,
  EMPTY_HEAD,
  type ChainHead,
  isSignedHead,
  signHeadUnlessInvalid,
} from "./audit-chain.server.ts";
import { getLastCommittedEntry, lacksEntry } from "./last-committed-entry.server.ts";

/**
 * The head that this process wrote last. It is outdated when another process has written since, or after a rollback.
 */
let lastWrittenHead: ChainHead | null = null;
let notifyInvalidHead: () => void = () => {};

export function getLastWrittenHead(): ChainHead | null {
  return lastWrittenHead;
}

/** Sets the listener that is called when the head of the chain was not written by the application. */
export function setInvalidHeadListener(listener: () => void): void {
  notifyInvalidHead = listener;
}

/**
 * Returns the head unchanged if the application signed it. Otherwise returns it with a broken signature, so that
 * verification fails.
 */
export function invalidateAndReportForgedHead(head: ChainHead): ChainHead {
  if (head.signature === INVALID_HEAD_SIGNATURE || isSignedHead(head)) return head;
  notifyInvalidHead();
  return { ...head, signature: INVALID_HEAD_SIGNATURE };
}

/**
 * Does the same as `invalidateAndReportForgedHead`, also if the locked head is an older one: the chain lacks the last entry
 * that this process knows. Notes that entry outside of the database, so that verification names it.
 */
export async function invalidateHeadIfReplaced(transaction: Transaction, lockedHead: ChainHead): Promise<ChainHead> {
  const known = getLastCommittedEntry();
  // Also for a head that is invalid or forged: whoever cut the end off may have written it.
  if (!known || !(await lacksEntry(transaction, lockedHead, known))) return invalidateAndReportForgedHead(lockedHead);
  await appendAnchor(known).catch(() => {});
  notifyInvalidHead();
  return { ...lockedHead, signature: INVALID_HEAD_SIGNATURE };
}

/**
 * Replaces the head with one conditional update and locks it until the commit. Returns false and changes nothing if the
 * head is not `from`.
 */
export async function replaceHeadIfUnchanged(
  transaction: Transaction,
  expectedHead: ChainHead,
  newHead: ChainHead,
): Promise<boolean> {
  const { lastSequence, lastHash, firstSequence, signature } = expectedHead;
  const { count } = await transaction.auditHead.updateMany({
    where: { id: 1, lastSequence, lastHash, firstSequence, signature },
    data: newHead,
  });
  // After a rollback, the next update matches no row, and the head is read again.
  if (count === 1) lastWrittenHead = newHead;
  return count === 1;
}

/** Locks the head until the end of the transaction and reads it. Creates it for the very first entry. */
export async function lockAndReadHead(transaction: Transaction): Promise<ChainHead> {
  const lock = () => transaction.$executeRaw`UPDATE "audit_heads" SET "id" = "id" WHERE "id" = 1`;
  if ((await lock()) === 0) {
    const { firstSequence, baseHash, lastSequence, lastHash, signature } = signHeadUnlessInvalid({
      ...EMPTY_HEAD,
      signature: "",
    });
    await transaction.$executeRaw`
      INSERT INTO "audit_heads" ("id", "firstSequence", "baseHash", "lastSequence", "lastHash", "signature")
      VALUES (1, ${firstSequence}, ${baseHash}, ${lastSequence}, ${lastHash}, ${signature}) ON CONFLICT DO NOTHING`;
    await lock();
  }
  const { id: _, ...head } = await transaction.auditHead.findUniqueOrThrow({ where: { id: 1 } });
  return head;
}
