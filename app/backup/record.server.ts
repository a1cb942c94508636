import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { now } from "../clock.ts";
import { isMissing } from "../documents/store-errors.server.ts";
import { env } from "../env.server.ts";

/** How one backup, or one rehearsal of restoring it, went. */
export type BackupRun = {
  /** ISO 8601, UTC: when it ended */
  at: string;
  isGood: boolean;
  /** one sentence: what came of it, or why it failed */
  words: string;
  /** the file's name */
  file?: string;
  /** of the file */
  bytes?: number;
};

type Kind = "backup" | "rehearsal";

/** The last run of each kind and the last that was good; null: there was none on this machine. */
export type BackupRecord = Record<Kind, { last: BackupRun | null; lastGood: BackupRun | null }>;

const NOTHING: BackupRecord = { backup: { last: null, lastGood: null }, rehearsal: { last: null, lastGood: null } };

/** What `npm run backup` and `npm run restore:rehearse` wrote down; nothing where neither ran, or the note is damaged. */
export async function readBackupRecord(): Promise<BackupRecord> {
  const text = await readFile(place(), "utf8").catch(isMissing);
  if (!text) return NOTHING;
  try {
    return { ...NOTHING, ...(JSON.parse(text) as BackupRecord) };
  } catch {
    return NOTHING;
  }
}

/** Whether backups can be made at all: BACKUP_KEYS is set. */
export function canBackUp(): boolean {
  return env.backups.keys.length > 0;
}

/** Writes down how a run went; it lies beside the data and is in no backup. */
export async function noteRun(kind: Kind, run: Omit<BackupRun, "at">): Promise<void> {
  const record = await readBackupRecord();
  const last = { at: now().toISOString(), ...run };
  const next = { ...record, [kind]: { last, lastGood: run.isGood ? last : record[kind].lastGood } };
  await mkdir(env.dataDir, { recursive: true });
  await writeFile(`${place()}.new`, JSON.stringify(next, null, 2), { mode: 0o600 });
  await rename(`${place()}.new`, place());
}

function place(): string {
  return path.join(env.dataDir, "backup.json");
}
