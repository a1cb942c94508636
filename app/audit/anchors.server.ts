import { appendFile, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { db, type Transaction } from "../db/client.server.ts";
import { HOUR_MS } from "../duration.ts";
import { env } from "../env.server.ts";
import type { PeriodicJob } from "../periodic-job.ts";

/** Number and hash of an audit entry at the time when this machine recorded it. */
export type Anchor = { sequence: number; hash: string };

const ANCHORS_PER_QUERY = 500;
const ANCHOR_LINE_PATTERN = /^(\d{1,10}) ([0-9a-f]{64})$/;

/**
 * Returns the path of the anchor file. It is outside of the database and of backups, so that it shows when the database
 * was replaced by an older or shorter one.
 */
function anchorFilePath(): string {
  return path.join(env.dataDir, "audit-anchors");
}

/**
 * Returns the anchors that this machine recorded, in order. Ignores invalid lines, because a crash can leave an incomplete
 * line.
 */
export async function readAnchors(): Promise<Anchor[]> {
  const text = await readFile(anchorFilePath(), "utf8").catch(() => "");
  return text
    .split("\n")
    .flatMap((line) => {
      const [, sequence, hash = ""] = ANCHOR_LINE_PATTERN.exec(line) ?? [];
      return sequence ? [{ sequence: Number(sequence), hash }] : [];
    })
    .toSorted((a, b) => a.sequence - b.sequence);
}

/** Records the last entry, unless it is already recorded. */
async function appendAnchor(): Promise<void> {
  const head = await db.auditHead.findUnique({ where: { id: 1 } });
  if (!head || head.lastSequence === 0) return;
  const last = (await readAnchors()).at(-1);
  if ((last?.sequence ?? 0) >= head.lastSequence) return;
  await appendFile(anchorFilePath(), `\n${head.lastSequence} ${head.lastHash}\n`, { mode: 0o600 });
}

/** Deletes the anchors of entry `sequence` and all later entries, because an older database was restored on purpose. */
export async function deleteAnchorsFrom(sequence: number): Promise<void> {
  const remaining = (await readAnchors()).filter((anchor) => anchor.sequence < sequence);
  await writeFile(`${anchorFilePath()}.new`, remaining.map((each) => `${each.sequence} ${each.hash}\n`).join(""), {
    mode: 0o600,
  });
  await rename(`${anchorFilePath()}.new`, anchorFilePath());
}

/**
 * Returns the number of the first recorded entry that has another hash in the current chain, or `end` if there is none.
 * Entries that are not in the chain are ignored.
 */
export async function findFirstMismatchedAnchor(reader: Pick<Transaction, "auditEntry">, end: number): Promise<number> {
  const anchors = (await readAnchors()).filter(({ sequence }) => sequence < end);
  for (let offset = 0; offset < anchors.length; offset += ANCHORS_PER_QUERY) {
    const batch = anchors.slice(offset, offset + ANCHORS_PER_QUERY);
    const where = { sequence: { in: batch.map(({ sequence }) => sequence) } };
    const entries = await reader.auditEntry.findMany({ where, select: { sequence: true, hash: true } });
    const hashes = new Map(entries.map(({ sequence, hash }) => [sequence, hash]));
    // An entry that is missing may have been deleted because it is older than the retention period, so it proves
    // nothing.
    const mismatched = batch.find(({ sequence, hash }) => hashes.has(sequence) && hashes.get(sequence) !== hash);
    if (mismatched) return mismatched.sequence;
  }
  return end;
}

/** Notes the end of the chain every hour and when the process ends. */
export const anchorJob: PeriodicJob = {
  name: "noting the end of the audit trail",
  intervalMs: HOUR_MS,
  run: appendAnchor,
  onStop: appendAnchor,
};
