import { createHmac, timingSafeEqual } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { now } from "../clock.ts";
import { openLocalFile } from "../files/folder-store.server.ts";
import { s3Store } from "../files/s3-store.server.ts";
import { nullIfMissing } from "../files/storage-errors.server.ts";
import type { StoredFile } from "../files/file-store.ts";
import { env } from "../env.server.ts";
import { OperatorError } from "../operator-error.ts";

const BACKUP_NAME = /^backup-\d{8}T\d{6}Z\.backup$/;
const NEWEST_KEY = "newest-backup";
const MAX_NOTE_BYTES = 1024;
const DAY_MS = 86_400_000;

/** Where backups go: BACKUP_STORAGE. */
export type BackupStorage = {
  /** Writes a whole file, or nothing. */
  write(name: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** Whoever opens it closes it; null where there is none. */
  open(name: string): Promise<StoredFile | null>;
  /** The name of the newest backup; null where there is none. */
  latest(): Promise<string | null>;
  /** Keeps the newest so many; in a bucket that is the bucket's own rule. */
  prune(keep: number): Promise<void>;
};

export const backupStorage: BackupStorage = env.backups.bucket
  ? bucketStorage(env.backups.bucket)
  : folderStorage(env.backups.folder);

/** A name by which files sort in the order of their making. */
export function backupFileName(time: Date): string {
  return `backup-${time.toISOString().replace(/[-:]|\.\d+/g, "")}.backup`;
}

/** Refuses a backup of ours that lies under another's name, as when an old one is passed off as the newest. */
export function refuseRenamed(file: string, at: string): void {
  const name = path.basename(file);
  if (!BACKUP_NAME.test(name) || name === backupFileName(new Date(at))) return;
  throw new OperatorError(
    `This backup is of ${at}, and its name says another time. To restore it, give it a name of yours.`,
  );
}

/** The name of the newest backup for `latest`; any other name as it is. Throws StartError where there is none. */
export async function resolveName(name: string): Promise<string> {
  const resolved = name === "latest" ? await backupStorage.latest() : name;
  if (!resolved) throw new OperatorError("There is no backup in BACKUP_STORAGE yet.");
  return resolved;
}

/** A backup by its path, or by its name in BACKUP_STORAGE. Whoever opens it closes it. Throws StartError. */
export async function openBackup(name: string): Promise<StoredFile> {
  const file = (await openLocalFile(name)) ?? (await backupStorage.open(name));
  if (!file) throw new OperatorError(`There is no backup ${name}, neither as a file nor in BACKUP_STORAGE.`);
  return file;
}

/** A file under a name that the operator chose. */
export async function writeFileAtomically(file: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporaryPath = `${file}.part`;
  try {
    await pipeline(source, createWriteStream(temporaryPath, { mode: 0o600 }));
    const written = await open(temporaryPath);
    await written.sync().finally(() => written.close());
    await rename(temporaryPath, file);
  } catch (error) {
    await unlink(temporaryPath).catch(nullIfMissing);
    throw error;
  }
}

function folderStorage(directory: string): BackupStorage {
  const listBackups = async () =>
    (await readdir(directory).catch(() => [])).filter((each) => BACKUP_NAME.test(each)).toSorted();
  return {
    write: (file, source) => writeFileAtomically(path.join(directory, file), source),
    open: (file) => openLocalFile(path.join(directory, file)),
    latest: async () => (await listBackups()).at(-1) ?? null,
    async prune(keep) {
      for (const old of (await listBackups()).slice(0, -keep))
        await unlink(path.join(directory, old)).catch(nullIfMissing);
      // What a process that died was writing.
      for (const part of (await readdir(directory)).filter((each) => each.endsWith(".part"))) {
        const { mtimeMs } = await stat(path.join(directory, part));
        if (mtimeMs < now().getTime() - DAY_MS) await unlink(path.join(directory, part)).catch(nullIfMissing);
      }
    },
  };
}

function bucketStorage(settings: NonNullable<typeof env.backups.bucket>): BackupStorage {
  const store = s3Store(settings, env.backups.folder);
  return {
    async write(name, source) {
      await store.write(name, source);
      await store.write(NEWEST_KEY, singleChunk(Buffer.from(`${name} ${proofOf(name)}`)));
    },
    open: (name) => store.open(name),
    async latest() {
      const pointer = await store.open(NEWEST_KEY);
      if (!pointer) return null;
      const bytes = Buffer.alloc(Math.min(pointer.size, MAX_NOTE_BYTES));
      await pointer
        .createReader(
          0,
          bytes.length,
        )(bytes)
        .finally(() => pointer.close());
      const [name = "", proof = ""] = bytes.toString().split(" ");
      if (env.backups.keys.some(({ key }) => isSame(proof, proofOf(name, key)))) return name;
      throw new OperatorError(
        `The note of the newest backup in the bucket was not written with BACKUP_KEYS. Name the backup instead of “latest”.`,
      );
    },
    prune: async () => {},
  };
}

/** Only who has the key of backups says which one is the newest. */
function proofOf(name: string, key = env.backups.keys[0]?.key): string {
  if (!key) throw new OperatorError("BACKUP_KEYS is not set.");
  return createHmac("sha256", key).update(`${NEWEST_KEY} ${name}`).digest("base64url");
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

async function* singleChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
