import { inTransaction } from "../db/client.server.ts";
import type { MasterKey } from "../env-schema.server.ts";
import { findFirstForeignAnchor, deleteAnchorsFrom } from "./anchors.server.ts";
import { isSignedHead, signHead } from "./chain.server.ts";
import { lockAndReadHead, replaceHeadIfUnchanged, markIfForged } from "./head.server.ts";
import { type AuditEvent, recordAuditInTransaction } from "./record.server.ts";

/**
 * Signs the chain as it is with this process's key, and forgets what this machine noted after its end: when a person has
 * found out why the signature does not fit. An altered entry stays one. Records that it was done.
 */
export async function reSignAuditChain(): Promise<void> {
  await reSign({ action: "audit-accepted", actorId: null }, () => true);
}

/**
 * After a restore: the head was signed with the keys of the machine that made the backup, and what this machine noted
 * after it, or of another chain, was replaced on purpose. A head that neither machine signed stays broken.
 */
export async function adoptRestoredChain(otherKeys: readonly MasterKey[]): Promise<void> {
  await reSign({ action: "backup-restored", actorId: null }, (head) => isSignedHead(head, otherKeys), {
    forgetsForeignAnchors: true,
  });
}

async function reSign(
  event: AuditEvent,
  mayBeSigned: (head: Parameters<typeof signHead>[0]) => boolean,
  { forgetsForeignAnchors = false } = {},
) {
  await inTransaction(async (transaction) => {
    const stored = await lockAndReadHead(transaction);
    const head = mayBeSigned(stored) ? signHead({ ...stored, signature: "" }) : markIfForged(stored);
    await replaceHeadIfUnchanged(transaction, stored, head);
    recordAuditInTransaction(transaction, event);
    const end = stored.lastSequence + 1;
    await deleteAnchorsFrom(forgetsForeignAnchors ? await findFirstForeignAnchor(transaction, end) : end);
  });
}
