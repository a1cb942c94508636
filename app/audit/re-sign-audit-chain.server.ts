import { inTransaction, runAfterCommit } from "../db/database-client.server.ts";
import type { MasterKey } from "../env-schema.server.ts";
import { findFirstMismatchedAnchor, deleteAnchorsFrom } from "./audit-anchors.server.ts";
import { isSignedHead, signHeadUnlessInvalid } from "./audit-chain.server.ts";
import { lockAndReadHead, replaceHeadIfUnchanged, invalidateAndReportForgedHead } from "./audit-chain-head.server.ts";
import { forgetCommittedEntry } from "./last-committed-entry.server.ts";
import { type AuditEvent, recordAuditInTransaction } from "./record-audit.server.ts";

/**
 * Signs the current chain with this process's key and deletes this machine's anchors that are after its end or belong
 * to another chain; a copy of the file remains as evidence. Used when a person has found out why the chain is not valid.
 * An altered entry still fails verification. Records that the chain was accepted.
 */
export async function acceptAndReSignAuditChain(): Promise<void> {
  await reSign({ action: "audit-accepted", actorId: null }, () => true, { keepsCopy: true });
}

/**
 * Signs the chain after a restore: the head was signed with the keys of the machine that created the backup. Deletes
 * this machine's anchors that are after the chain's end or belong to another chain, because that chain was replaced on
 * purpose. A head that neither machine signed stays broken.
 */
export async function reSignRestoredChain(otherKeys: readonly MasterKey[]): Promise<void> {
  await reSign({ action: "backup-restored", actorId: null }, (head) => isSignedHead(head, otherKeys));
}

async function reSign(
  event: AuditEvent,
  canBeSigned: (head: Parameters<typeof signHeadUnlessInvalid>[0]) => boolean,
  options: { keepsCopy?: boolean } = {},
) {
  await inTransaction(async (transaction) => {
    const stored = await lockAndReadHead(transaction);
    const head = canBeSigned(stored)
      ? signHeadUnlessInvalid({ ...stored, signature: "" })
      : invalidateAndReportForgedHead(stored);
    await replaceHeadIfUnchanged(transaction, stored, head);
    runAfterCommit(transaction, forgetCommittedEntry);
    recordAuditInTransaction(transaction, event);
    deleteAnchorsFrom(await findFirstMismatchedAnchor(transaction, stored.lastSequence + 1), options);
  });
}
