import { db, inTransaction, runAfterCommit } from "../db/database-client.server.ts";
import { MINUTE_MS } from "../time-units.ts";
import type { PeriodicJob } from "../periodic-job.ts";
import { appendAnchor, readAnchors, thinAnchors } from "./audit-anchors.server.ts";
import { INVALID_HEAD_SIGNATURE, isSignedHead } from "./audit-chain.server.ts";
import { invalidateHeadIfReplaced, lockAndReadHead, replaceHeadIfUnchanged } from "./audit-chain-head.server.ts";
import {
  getLastCommittedEntry,
  lacksEntry,
  rememberCommittedEntry,
  rememberCommittedHead,
} from "./last-committed-entry.server.ts";

/** Remembers the last noted entry at the start: the database may have been replaced while no process was running. */
export function rememberLastAnchor(): void {
  const noted = readAnchors().at(-1);
  if (noted) rememberCommittedEntry(noted);
}

/** One run waits for the other, so that the last one, when the process ends, notes what was written during it. */
let currentRun = Promise.resolve();

/** Notes the last entry outside of the database, and marks the head as invalid if the stored chain lacks that entry. */
async function anchorLastEntry(): Promise<void> {
  await (currentRun = currentRun.catch(() => {}).then(anchorOnce));
}

async function anchorOnce(): Promise<void> {
  const known = getLastCommittedEntry();
  const head = await db.auditHead.findUnique({ where: { id: 1 }, omit: { id: true } });
  if (await lacksEntry(db, head, known)) await invalidateReplacedHead();
  else if (head && (head.signature === INVALID_HEAD_SIGNATURE || isSignedHead(head))) rememberCommittedHead(head);
  const last = getLastCommittedEntry();
  if (last) await appendAnchor(last);
  await thinAnchors();
}

async function invalidateReplacedHead(): Promise<void> {
  await inTransaction(async (transaction) => {
    const stored = await lockAndReadHead(transaction);
    const head = await invalidateHeadIfReplaced(transaction, stored);
    await replaceHeadIfUnchanged(transaction, stored, head);
    runAfterCommit(transaction, () => rememberCommittedHead(head));
  });
}

/** Notes the end of the chain every minute and when the process ends. */
export const anchorJob: PeriodicJob = {
  name: "noting the end of the audit trail",
  intervalMs: MINUTE_MS,
  run: anchorLastEntry,
  onStop: anchorLastEntry,
};
