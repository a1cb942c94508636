import { hash } from "node:crypto";
import { verifyTextHmac, createTextHmac } from "../db/text-encryption.server.ts";
import type { MasterKey } from "../env-schema.server.ts";

/** An entry without its position in the chain. */
export type EntryFields = {
  at: Date;
  actorId: number | null;
  familyId: number | null;
  action: string;
  objectType: string | null;
  objectId: number | null;
  network: string | null;
};
export type ChainEntry = EntryFields & { sequence: number; hash: string };

/** Beginning and end of the chain, as stored in `audit_heads`. */
export type ChainHead = {
  firstSequence: number;
  /** The hash of the row before the first one. */
  baseHash: string;
  lastSequence: number;
  lastHash: string;
  signature: string;
};

/** Stands for the previous hash of the very first entry. */
const NO_HASH = "";

export const EMPTY_HEAD: Omit<ChainHead, "signature"> = {
  firstSequence: 1,
  baseHash: NO_HASH,
  lastSequence: 0,
  lastHash: NO_HASH,
};

/**
 * Signature of a head that was not valid when the chain was extended. Later heads stay invalid, too, until a person
 * accepts the chain.
 */
export const INVALID_HEAD_SIGNATURE = "broken";

/** Returns the hash of the entry that follows the one with the hash `previousHash`. */
export function hashEntry(previousHash: string, entry: Omit<ChainEntry, "hash">): string {
  const { sequence, at, actorId, familyId, action, objectType, objectId, network } = entry;
  const fields = [previousHash, sequence, at.getTime(), actorId, familyId, action, objectType, objectId, network];
  return hash("sha256", JSON.stringify(fields), "hex");
}

/** Adds entries to the end of the chain. Returns the new signed head and the entries with their hashes. */
export function computeChainExtension(
  head: ChainHead,
  newEntries: readonly EntryFields[],
): { head: ChainHead; entries: ChainEntry[] } {
  let { lastSequence, lastHash } = head;
  const entries = newEntries.map((fields) => {
    const entry = { ...fields, sequence: (lastSequence += 1) };
    lastHash = hashEntry(lastHash, entry);
    return { ...entry, hash: lastHash };
  });
  return { head: signHeadUnlessInvalid({ ...head, lastSequence, lastHash }), entries };
}

/** Signs a changed head. A broken signature stays broken. */
export function signHeadUnlessInvalid(head: ChainHead): ChainHead {
  return head.signature === INVALID_HEAD_SIGNATURE ? head : { ...head, signature: createTextHmac(serializeHead(head)) };
}

/** Checks whether the application signed this head, with one of this process's keys or of `otherKeys`. */
export function isSignedHead(head: ChainHead, otherKeys: readonly MasterKey[] = []): boolean {
  return verifyTextHmac(serializeHead(head), head.signature, otherKeys);
}

function serializeHead({ firstSequence, baseHash, lastSequence, lastHash }: Omit<ChainHead, "signature">): string {
  return JSON.stringify(["audit head", firstSequence, baseHash, lastSequence, lastHash]);
}
