import type { Transaction } from "../db/client.server.ts";
import { BROKEN_SIGNATURE, EMPTY_HEAD, type Head, isSignedHead, signHead } from "./chain.server.ts";

/** The head that this process wrote last. Out of date when another process has written since, or after a rollback. */
let lastWritten: Head | null = null;
let reportBroken: () => void = () => {};

export function cachedHead(): Head | null {
  return lastWritten;
}

/** Calls `listener` when the chain's end turns out not to be as the program left it. */
export function onBrokenChain(listener: () => void): void {
  reportBroken = listener;
}

/** The head itself when the program signed it; otherwise one whose signature stays broken, so that verifying fails. */
export function markIfForged(head: Head): Head {
  if (head.signature === BROKEN_SIGNATURE || isSignedHead(head)) return head;
  reportBroken();
  return { ...head, signature: BROKEN_SIGNATURE };
}

/** One conditional update: false, and nothing is changed, when the head is not `from`. Locks it until the commit. */
export async function replaceHeadIfUnchanged(transaction: Transaction, from: Head, to: Head): Promise<boolean> {
  const { lastSequence, lastHash, firstSequence, signature } = from;
  const { count } = await transaction.auditHead.updateMany({
    where: { id: 1, lastSequence, lastHash, firstSequence, signature },
    data: to,
  });
  // After a rollback the next update matches nothing, and the head is read again.
  if (count === 1) lastWritten = to;
  return count === 1;
}

/** Locks the head until the end of the transaction, and reads it; creates it for the first entry of all. */
export async function lockAndReadHead(transaction: Transaction): Promise<Head> {
  const lock = () => transaction.$executeRaw`UPDATE "audit_heads" SET "id" = "id" WHERE "id" = 1`;
  if ((await lock()) === 0) {
    const { firstSequence, baseHash, lastSequence, lastHash, signature } = signHead({ ...EMPTY_HEAD, signature: "" });
    await transaction.$executeRaw`
      INSERT INTO "audit_heads" ("id", "firstSequence", "baseHash", "lastSequence", "lastHash", "signature")
      VALUES (1, ${firstSequence}, ${baseHash}, ${lastSequence}, ${lastHash}, ${signature}) ON CONFLICT DO NOTHING`;
    await lock();
  }
  const { id: _, ...head } = await transaction.auditHead.findUniqueOrThrow({ where: { id: 1 } });
  return head;
}
