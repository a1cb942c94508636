import { appendFile, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { db } from "../db/client.server.ts";
import { HOUR_MS } from "../duration.ts";
import { env } from "../env.server.ts";
import type { Job } from "../periodic-job.ts";

/** An entry's number and hash, as it was when it was noted. */
export type Anchor = { sequence: number; hash: string };

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
export async function forgetAnchorsFrom(sequence: number): Promise<void> {
  const remaining = (await readAnchors()).filter((anchor) => anchor.sequence < sequence);
  await writeFile(`${anchorFile()}.new`, remaining.map((each) => `${each.sequence} ${each.hash}\n`).join(""), {
    mode: 0o600,
  });
  await rename(`${anchorFile()}.new`, anchorFile());
}

/** Notes the end of the chain each hour, and when the process ends. */
export const anchorJob: Job = {
  name: "noting the end of the audit trail",
  intervalMs: HOUR_MS,
  run: noteLastEntry,
  onStop: noteLastEntry,
};
