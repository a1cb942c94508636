import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, unlink } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { DAY_MS } from "../time-units.ts";
import { now } from "../clock.ts";
import { isFileOlderThan } from "../file-age.server.ts";
import { openLocalFile } from "../files/folder-store.server.ts";
import { createS3Store } from "../files/s3-store.server.ts";
import { nullIfFileNotFound } from "../files/storage-errors.server.ts";
import type { StoredFile } from "../files/file-store.ts";
import { env } from "../env.server.ts";
import { OperatorError } from "../operator-error.ts";
import { isValidBackupSignature, signWithBackupKey } from "./backup-signature.server.ts";

const BACKUP_NAME_PATTERN = /^backup-\d{8}T\d{6}Z\.backup$/;
const NEWEST_BACKUP_KEY = "newest-backup";
const MAX_POINTER_BYTES = 1024;

/** The storage according to BACKUP_STORAGE: a folder or a bucket. */
export type BackupStorage = {
  /** Writes the whole file or nothing. If the file is a backup, it becomes the newest backup. */
  write(name: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** Opens a file; returns null if there is none. The caller must close it. */
  open(name: string): Promise<StoredFile | null>;
  /** Returns the name of the newest backup; null if there is none. */
  latest(): Promise<string | null>;
  /** Deletes all but the newest `retention` backups. Does nothing for a bucket, whose lifecycle rule deletes them. */
  prune(retention: number): Promise<void>;
};

export const backupStorage: BackupStorage = env.backups.bucket
  ? createBucketStorage(env.backups.bucket)
  : createFolderStorage(env.backups.folder);

/** Returns the file name of a backup. Names sort by time (UTC). */
export function backupFileName(time: Date): string {
  return `backup-${time.toISOString().replace(/[-:]|\.\d+/g, "")}.backup`;
}

/**
 * Throws OperatorError if a backup has the file name of another time, so that an old backup can't pass as the newest.
 */
export function assertBackupNameMatchesTime(file: string, at: string): void {
  const name = path.basename(file);
  if (!BACKUP_NAME_PATTERN.test(name) || name === backupFileName(new Date(at))) return;
  throw new OperatorError(
    `This backup is of ${at}, and its name says another time. To restore it, give it a name of yours.`,
  );
}

/**
 * Resolves `latest` to the newest backup's name; returns any other name. Throws OperatorError if there is no backup.
 */
export async function resolveBackupName(name: string): Promise<string> {
  const resolved = name === "latest" ? await backupStorage.latest() : name;
  if (!resolved) throw new OperatorError("There is no backup in BACKUP_STORAGE yet.");
  return resolved;
}

/**
 * Opens a backup by path, or by name in BACKUP_STORAGE. The caller must close it. Throws OperatorError if there is
 * none.
 */
export async function openBackup(name: string): Promise<StoredFile> {
  const file = (await openLocalFile(name)) ?? (await backupStorage.open(name));
  if (!file) throw new OperatorError(`There is no backup ${name}, neither as a file nor in BACKUP_STORAGE.`);
  return file;
}

/** Writes to a temporary file, syncs it and renames it, so that `file` is either complete or missing. */
export async function writeFileAtomically(file: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporaryPath = `${file}.part`;
  try {
    await rm(temporaryPath, { force: true });
    // "x" follows no symbolic link that somebody else has put there.
    await pipeline(source, createWriteStream(temporaryPath, { flags: "wx", mode: 0o600 }));
    const fileHandle = await open(temporaryPath);
    await fileHandle.sync().finally(() => fileHandle.close());
    await rename(temporaryPath, file);
  } catch (error) {
    await unlink(temporaryPath).catch(nullIfFileNotFound);
    throw error;
  }
}

function createFolderStorage(directory: string): BackupStorage {
  const listBackups = async () =>
    (await readdir(directory).catch(() => [])).filter((each) => BACKUP_NAME_PATTERN.test(each)).toSorted();
  return {
    write: (file, source) => writeFileAtomically(path.join(directory, file), source),
    open: (file) => openLocalFile(path.join(directory, file)),
    latest: async () => (await listBackups()).at(-1) ?? null,
    async prune(retention) {
      for (const name of (await listBackups()).slice(0, -retention))
        await unlink(path.join(directory, name)).catch(nullIfFileNotFound);
      // Delete partial files of processes that have ended.
      for (const part of (await readdir(directory)).filter((each) => each.endsWith(".part"))) {
        if (await isFileOlderThan(path.join(directory, part), new Date(now().getTime() - DAY_MS)))
          await unlink(path.join(directory, part)).catch(nullIfFileNotFound);
      }
    },
  };
}

function createBucketStorage(settings: NonNullable<typeof env.backups.bucket>): BackupStorage {
  const store = createS3Store(settings, env.backups.folder);
  return {
    async write(name, source) {
      await store.write(name, source);
      // The list of erased accounts is stored here too, and is not a backup.
      if (!BACKUP_NAME_PATTERN.test(name)) return;
      await store.write(
        NEWEST_BACKUP_KEY,
        singleChunk(Buffer.from(`${name} ${signWithBackupKey(`${NEWEST_BACKUP_KEY} ${name}`)}`)),
      );
    },
    open: (name) => store.open(name),
    async latest() {
      const pointer = await store.open(NEWEST_BACKUP_KEY);
      if (!pointer) return null;
      const bytes = Buffer.alloc(Math.min(pointer.size, MAX_POINTER_BYTES));
      await pointer
        .createReader(
          0,
          bytes.length,
        )(bytes)
        .finally(() => pointer.close());
      const [name = "", signature = ""] = bytes.toString().split(" ");
      if (isValidBackupSignature(`${NEWEST_BACKUP_KEY} ${name}`, signature)) return name;
      throw new OperatorError(
        `The note of the newest backup in the bucket was not written with BACKUP_KEYS. Name the backup instead of “latest”.`,
      );
    },
    prune: async () => {},
  };
}

async function* singleChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
