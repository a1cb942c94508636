import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { appendFile, stat } from "node:fs/promises";
import path from "node:path";
import { now } from "../clock.ts";
import { db, type Transaction } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";

/** Number and hash of an audit entry at the time when this machine recorded it. */
export type Anchor = { sequence: number; hash: string };

const ANCHORS_PER_QUERY = 500;
/** About 3,400 anchors. */
const MAX_FILE_BYTES = 256 * 1024;
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
 * line. Throws if there is a file that can't be read.
 */
export function readAnchors(): Anchor[] {
  return readAnchorFile()
    .split("\n")
    .flatMap((line) => {
      const [, sequence, hash = ""] = ANCHOR_LINE_PATTERN.exec(line) ?? [];
      return sequence ? [{ sequence: Number(sequence), hash }] : [];
    })
    .toSorted((a, b) => a.sequence - b.sequence);
}

function readAnchorFile(): string {
  try {
    return readFileSync(anchorFilePath(), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

let lastAppendedHash = "";

/** Records a committed entry, unless it is the one that this process recorded last, or the chain has none (number 0). */
export async function appendAnchor({ sequence, hash }: Anchor): Promise<void> {
  if (sequence === 0 || hash === lastAppendedHash) return;
  await appendFile(anchorFilePath(), `\n${toLine({ sequence, hash })}\n`, { mode: 0o600 });
  lastAppendedHash = hash;
}

/**
 * Deletes the anchors of entry `sequence` and all later entries, because the chain was replaced on purpose. With
 * `keepsCopy`, copies the file before that if any anchor is deleted.
 */
export function deleteAnchorsFrom(sequence: number, { keepsCopy = false } = {}): void {
  const anchors = readAnchors();
  const remaining = anchors.filter((anchor) => anchor.sequence < sequence);
  if (remaining.length === anchors.length) return;
  if (keepsCopy) copyFileSync(anchorFilePath(), `${anchorFilePath()}.accepted-${now().getTime()}`);
  writeAnchors(remaining);
  lastAppendedHash = "";
}

/**
 * Deletes every second anchor of the older half if the file is too long. Keeps those that the chain contradicts,
 * because they prove that it was changed.
 */
export async function thinAnchors(): Promise<void> {
  const { size } = await stat(anchorFilePath()).catch(() => ({ size: 0 }));
  if (size <= MAX_FILE_BYTES) return;
  const anchors = readAnchors();
  const candidates = anchors.slice(0, anchors.length / 2).filter((_, index) => index % 2 === 1);
  const contradicted = new Set(await findMismatchedAnchors(db, candidates));
  const deletable = Map.groupBy(
    candidates.filter((anchor) => !contradicted.has(anchor)),
    toLine,
  );
  // Reads the file again, because other anchors may have been recorded during the queries.
  writeAnchors(readAnchors().filter((anchor) => !deletable.get(toLine(anchor))?.pop()));
}

/** Replaces the file. Synchronous, as the reading before it, so that this process records no anchor in between. */
function writeAnchors(anchors: readonly Anchor[]): void {
  const temporaryPath = `${anchorFilePath()}.${process.pid}.new`;
  writeFileSync(temporaryPath, anchors.map((anchor) => `${toLine(anchor)}\n`).join(""), { mode: 0o600 });
  renameSync(temporaryPath, anchorFilePath());
}

function toLine({ sequence, hash }: Anchor): string {
  return `${sequence} ${hash}`;
}

/**
 * Returns the number of the first recorded entry that has another hash in the current chain, or `end` if there is none.
 * Entries that are not in the chain are ignored.
 */
export async function findFirstMismatchedAnchor(reader: Pick<Transaction, "auditEntry">, end: number): Promise<number> {
  const anchors = readAnchors().filter(({ sequence }) => sequence < end);
  const [first] = await findMismatchedAnchors(reader, anchors);
  return first?.sequence ?? end;
}

async function findMismatchedAnchors(
  reader: Pick<Transaction, "auditEntry">,
  anchors: readonly Anchor[],
): Promise<Anchor[]> {
  const mismatched: Anchor[] = [];
  for (let offset = 0; offset < anchors.length; offset += ANCHORS_PER_QUERY) {
    const batch = anchors.slice(offset, offset + ANCHORS_PER_QUERY);
    const where = { sequence: { in: batch.map(({ sequence }) => sequence) } };
    const entries = await reader.auditEntry.findMany({ where, select: { sequence: true, hash: true } });
    const hashes = new Map(entries.map(({ sequence, hash }) => [sequence, hash]));
    // An entry that is missing may have been deleted because it is older than the retention period, so it proves
    // nothing.
    mismatched.push(...batch.filter(({ sequence, hash }) => (hashes.get(sequence) ?? hash) !== hash));
  }
  return mismatched;
}
