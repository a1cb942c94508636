import { appendFile, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { db, type Transaction } from "../db/client.server.ts";
import { HOUR_MS } from "../duration.ts";
import { env } from "../env.server.ts";
import type { Job } from "../periodic-job.ts";

/** An entry's number and hash, as it was when it was noted. */
export type Anchor = { sequence: number; hash: string };

const ANCHORS_PER_QUERY = 500;
const LINE = /^(\d{1,10}) ([0-9a-f]{64})$/;

/** Outside of the database, in no backup: it tells when an older database, or a shorter one, took the place of this one. */
function anchorFile(): string {
  return path.join(env.dataDir, "audit-anchors");
}

/** The entries that this machine noted, in order. Lines that are none are left out: a crash can leave half a line. */
export async function readAnchors(): Promise<Anchor[]> {
  const text = await readFile(anchorFile(), "utf8").catch(() => "");
  return text
    .split("\n")
    .flatMap((line) => {
      const [, sequence, hash = ""] = LINE.exec(line) ?? [];
      return sequence ? [{ sequence: Number(sequence), hash }] : [];
    })
    .toSorted((one, other) => one.sequence - other.sequence);
}

/** Notes the last entry, if it is not noted yet. */
async function noteLastEntry(): Promise<void> {
  const head = await db.auditHead.findUnique({ where: { id: 1 } });
  if (!head || head.lastSequence === 0) return;
  const last = (await readAnchors()).at(-1);
  if ((last?.sequence ?? 0) >= head.lastSequence) return;
  await appendFile(anchorFile(), `\n${head.lastSequence} ${head.lastHash}\n`, { mode: 0o600 });
}

/** Forgets what was noted after entry `sequence`, and about it: an older database was restored on purpose. */
export async function deleteAnchorsFrom(sequence: number): Promise<void> {
  const remaining = (await readAnchors()).filter((anchor) => anchor.sequence < sequence);
  await writeFile(`${anchorFile()}.new`, remaining.map((each) => `${each.sequence} ${each.hash}\n`).join(""), {
    mode: 0o600,
  });
  await rename(`${anchorFile()}.new`, anchorFile());
}

/**
 * The number of the first noted entry that is another one, or none, in the chain as it is; `end` where all noted entries
 * before it are the same.
 */
export async function findFirstForeignAnchor(reader: Pick<Transaction, "auditEntry">, end: number): Promise<number> {
  const anchors = (await readAnchors()).filter(({ sequence }) => sequence < end);
  for (let at = 0; at < anchors.length; at += ANCHORS_PER_QUERY) {
    const noted = anchors.slice(at, at + ANCHORS_PER_QUERY);
    const where = { sequence: { in: noted.map(({ sequence }) => sequence) } };
    const entries = await reader.auditEntry.findMany({ where, select: { sequence: true, hash: true } });
    const hashes = new Map(entries.map(({ sequence, hash }) => [sequence, hash]));
    // An entry may be older than the log is kept: that says nothing.
    const foreign = noted.find(({ sequence, hash }) => hashes.has(sequence) && hashes.get(sequence) !== hash);
    if (foreign) return foreign.sequence;
  }
  return end;
}

/** Notes the end of the chain each hour, and when the process ends. */
export const anchorJob: Job = {
  name: "noting the end of the audit trail",
  intervalMs: HOUR_MS,
  run: noteLastEntry,
  onStop: noteLastEntry,
};
