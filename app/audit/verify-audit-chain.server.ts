import { sqltag as sql } from "@prisma/client/runtime/client";
import { db, runPreparedQuery } from "../db/database-client.server.ts";
import { type Anchor, readAnchors } from "./audit-anchors.server.ts";
import {
  INVALID_HEAD_SIGNATURE,
  type ChainEntry,
  type ChainHead,
  hashEntry,
  isSignedHead,
} from "./audit-chain.server.ts";
import { getLastCommittedEntry } from "./last-committed-entry.server.ts";

const BATCH_SIZE = 10_000;

export type ChainVerification =
  | { isValid: true; count: number; lastSequence: number }
  /** `sequence` is the number of the first entry that is not valid. */
  | { isValid: false; sequence: number; problem: string };

const CHAIN_TRUNCATED = Symbol("retention moved the beginning of the chain");

/**
 * Verifies the whole chain, 10,000 entries at a time. The application may run during this. Compares the chain with the
 * signed head, with this machine's anchors and with the last entry that this process knows.
 */
export async function verifyAuditChain(): Promise<ChainVerification> {
  for (;;) {
    const result = await verifyOnce();
    if (result !== CHAIN_TRUNCATED) return result;
  }
}

async function verifyOnce(): Promise<ChainVerification | typeof CHAIN_TRUNCATED> {
  const anchors = readAnchors();
  const known = getLastCommittedEntry();
  if (known && known.sequence >= (anchors.at(-1)?.sequence ?? 0)) anchors.push(known);
  const newest = await findNewestSequence();
  const head = await readHead();
  if (!head) return verifyEmptyChain(newest, anchors);
  const failure =
    (await verifyBeginning(head)) ?? (await verifyEntries(head, anchors)) ?? verifyEnd(head, newest, anchors);
  if (!failure) {
    const { firstSequence, lastSequence } = head;
    return { isValid: true, count: lastSequence - firstSequence + 1, lastSequence };
  }
  return (await readHead())?.firstSequence === head.firstSequence ? failure : CHAIN_TRUNCATED;
}

/**
 * Checks that no entry is before the beginning of the chain. Retention deletes entries and moves the beginning in the
 * same transaction.
 */
async function verifyBeginning({ firstSequence }: ChainHead): Promise<ChainVerification | null> {
  const { _min } = await db.auditEntry.aggregate({ _min: { sequence: true } });
  const oldest = _min.sequence ?? firstSequence;
  return oldest < firstSequence ? failedVerification(oldest, "was added before the beginning") : null;
}

async function verifyEntries(head: ChainHead, anchors: readonly Anchor[]): Promise<ChainVerification | null> {
  // A chain that went on from an older head can have two anchors of one number.
  const anchorsBySequence = Map.groupBy(anchors, ({ sequence }) => sequence);
  let { baseHash: previous, firstSequence: next } = head;
  while (next <= head.lastSequence) {
    const rows = await readChainEntryBatch(next, head.lastSequence);
    if (rows.length === 0) return failedVerification(next, "is missing: the end was cut off");
    for (const row of rows) {
      if (row.sequence !== next) return failedVerification(next, "is missing");
      if (row.hash !== hashEntry(previous, row))
        return failedVerification(next, "was altered, is out of order, or the one before it was altered");
      if (anchorsBySequence.get(next)?.some(({ hash }) => hash !== row.hash))
        return failedVerification(next, "is another one than this machine noted: entries up to it were written again");
      previous = row.hash;
      next += 1;
    }
  }
  return previous === head.lastHash
    ? null
    : failedVerification(head.lastSequence, "is not the one that the head names");
}

function verifyEnd(head: ChainHead, newest: number, anchors: readonly Anchor[]): ChainVerification | null {
  const { lastSequence, signature } = head;
  if (newest > lastSequence) return failedVerification(lastSequence + 1, "was added behind the end");
  const lastAnchorSequence = anchors.at(-1)?.sequence ?? 0;
  if (lastAnchorSequence > lastSequence)
    return failedVerification(lastSequence + 1, `is missing: this machine noted ${lastAnchorSequence} entries`);
  if (signature === INVALID_HEAD_SIGNATURE)
    return failedVerification(
      lastSequence,
      "or an earlier one was written by another program: the signature was not valid",
    );
  return isSignedHead(head)
    ? null
    : failedVerification(lastSequence, "does not have a valid signature of the end of the chain");
}

/** Returns the result when the database has no head, which is only valid if nothing was ever recorded. */
function verifyEmptyChain(newest: number, anchors: readonly Anchor[]): ChainVerification {
  if (newest === 0 && anchors.length === 0) return { isValid: true, count: 0, lastSequence: 0 };
  return failedVerification(1, "can't be verified: the head of the chain is missing");
}

function failedVerification(sequence: number, problem: string): ChainVerification {
  return { isValid: false, sequence, problem };
}

/** Uses a prepared query: with Prisma's model, reading a million rows takes three times as long. */
function readChainEntryBatch(from: number, to: number): Promise<ChainEntry[]> {
  return runPreparedQuery<ChainEntry>(sql`
    SELECT "sequence", "at", "actorId", "familyId", "action", "objectType", "objectId", "network", "hash"
    FROM "audit_entries" WHERE "sequence" >= ${from} AND "sequence" <= ${to} ORDER BY "sequence" LIMIT ${BATCH_SIZE}`);
}

async function findNewestSequence(): Promise<number> {
  const { _max } = await db.auditEntry.aggregate({ _max: { sequence: true } });
  return _max.sequence ?? 0;
}

function readHead(): Promise<ChainHead | null> {
  return db.auditHead.findUnique({ where: { id: 1 }, omit: { id: true } });
}
