import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { now } from "../clock.ts";
import { nullIfFileNotFound } from "../files/storage-errors.server.ts";
import { env } from "../env.server.ts";

/** The result of one backup, or of one restore rehearsal. */
export type BackupRun = {
  /** ISO 8601, UTC: when it ended */
  at: string;
  succeeded: boolean;
  /** one sentence: the result, or why it failed */
  summary: string;
  /** name of the backup file */
  file?: string;
  /** size of the backup file */
  bytes?: number;
};

/** A run in backup.json, with the keys that earlier versions also use. */
type StoredRun = Omit<BackupRun, "succeeded" | "summary"> & { isGood: boolean; words: string };
type StoredStatus = Record<RunKind, { last: StoredRun | null; lastGood: StoredRun | null }>;

type RunKind = "backup" | "rehearsal";

/** The last run of each kind and the last successful one; null if there was none on this machine. */
export type BackupStatus = Record<RunKind, { last: BackupRun | null; lastSuccess: BackupRun | null }>;

const EMPTY_STATUS: StoredStatus = {
  backup: { last: null, lastGood: null },
  rehearsal: { last: null, lastGood: null },
};

/**
 * Returns the results of `npm run backup` and `npm run restore:rehearse`; all null if neither ran or backup.json is
 * damaged.
 */
export async function readBackupStatus(): Promise<BackupStatus> {
  const { backup, rehearsal } = await readStoredStatus();
  const fromStored = (run: StoredRun | null): BackupRun | null => {
    if (!run) return null;
    const { isGood: succeeded, words: summary, ...rest } = run;
    return { ...rest, succeeded, summary };
  };
  return {
    backup: { last: fromStored(backup.last), lastSuccess: fromStored(backup.lastGood) },
    rehearsal: { last: fromStored(rehearsal.last), lastSuccess: fromStored(rehearsal.lastGood) },
  };
}

/** Returns whether BACKUP_KEYS is set. Without it, no backup can be created. */
export function isBackupConfigured(): boolean {
  return env.backups.keys.length > 0;
}

/** Records a run in DATA_DIR/backup.json, which is not part of any backup because it describes only this machine. */
export async function recordBackupRun(kind: RunKind, run: Omit<BackupRun, "at">): Promise<void> {
  const { succeeded: isGood, summary: words, ...rest } = run;
  const status = await readStoredStatus();
  const last = { at: now().toISOString(), isGood, ...rest, words };
  const next = { ...status, [kind]: { last, lastGood: isGood ? last : status[kind].lastGood } };
  await mkdir(env.dataDir, { recursive: true });
  await writeFile(`${statusPath()}.new`, JSON.stringify(next, null, 2), { mode: 0o600 });
  await rename(`${statusPath()}.new`, statusPath());
}

async function readStoredStatus(): Promise<StoredStatus> {
  const text = await readFile(statusPath(), "utf8").catch(nullIfFileNotFound);
  if (!text) return EMPTY_STATUS;
  try {
    return { ...EMPTY_STATUS, ...(JSON.parse(text) as StoredStatus) };
  } catch {
    return EMPTY_STATUS;
  }
}

function statusPath(): string {
  return path.join(env.dataDir, "backup.json");
}
