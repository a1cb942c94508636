import { createHmac, timingSafeEqual } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { now } from "../clock.ts";
import { openOnDisk } from "../documents/folder-store.server.ts";
import { s3Store } from "../documents/s3-store.server.ts";
import { isMissing } from "../documents/store-errors.server.ts";
import type { StoredFile } from "../documents/file-store.ts";
import { env } from "../env.server.ts";
import { OperatorError } from "../start-error.ts";

const OURS = /^backup-\d{8}T\d{6}Z\.backup$/;
const NEWEST = "newest-backup";
const MAX_NOTE_BYTES = 1024;
const DAY_MS = 86_400_000;

/** Where backups go: BACKUP_STORAGE. */
export type Place = {
  /** Writes a whole file, or nothing. */
  write(name: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** Whoever opens it closes it; null where there is none. */
  open(name: string): Promise<StoredFile | null>;
  /** The name of the newest backup; null where there is none. */
  newest(): Promise<string | null>;
  /** Keeps the newest so many; in a bucket that is the bucket's own rule. */
  thin(keep: number): Promise<void>;
};

export const place: Place = env.backups.bucket ? bucket(env.backups.bucket) : folder(env.backups.folder);

/** A name by which files sort in the order of their making. */
export function nameFor(moment: Date): string {
  return `backup-${moment.toISOString().replace(/[-:]|\.\d+/g, "")}.backup`;
}

/** Refuses a backup of ours that lies under another's name, as when an old one is passed off as the newest. */
export function refuseRenamed(file: string, at: string): void {
  const name = path.basename(file);
  if (!OURS.test(name) || name === nameFor(new Date(at))) return;
  throw new OperatorError(
    `This backup is of ${at}, and its name says another time. To restore it, give it a name of yours.`,
  );
}

/** The name of the newest backup for `latest`; any other name as it is. Throws StartError where there is none. */
export async function nameOf(name: string): Promise<string> {
  const wanted = name === "latest" ? await place.newest() : name;
  if (!wanted) throw new OperatorError("There is no backup in BACKUP_STORAGE yet.");
  return wanted;
}

/** A backup by its path, or by its name in BACKUP_STORAGE. Whoever opens it closes it. Throws StartError. */
export async function openBackup(name: string): Promise<StoredFile> {
  const file = (await openOnDisk(name)) ?? (await place.open(name));
  if (!file) throw new OperatorError(`There is no backup ${name}, neither as a file nor in BACKUP_STORAGE.`);
  return file;
}

/** A file under a name that the operator chose. */
export async function writeFileAt(file: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.part`;
  try {
    await pipeline(source, createWriteStream(unfinished, { mode: 0o600 }));
    const written = await open(unfinished);
    await written.sync().finally(() => written.close());
    await rename(unfinished, file);
  } catch (error) {
    await unlink(unfinished).catch(isMissing);
    throw error;
  }
}

function folder(name: string): Place {
  const ours = async () => (await readdir(name).catch(() => [])).filter((each) => OURS.test(each)).toSorted();
  return {
    write: (file, source) => writeFileAt(path.join(name, file), source),
    open: (file) => openOnDisk(path.join(name, file)),
    newest: async () => (await ours()).at(-1) ?? null,
    async thin(keep) {
      for (const old of (await ours()).slice(0, -keep)) await unlink(path.join(name, old)).catch(isMissing);
      // What a process that died was writing.
      for (const part of (await readdir(name)).filter((each) => each.endsWith(".part"))) {
        const { mtimeMs } = await stat(path.join(name, part));
        if (mtimeMs < now().getTime() - DAY_MS) await unlink(path.join(name, part)).catch(isMissing);
      }
    },
  };
}

function bucket(settings: NonNullable<typeof env.backups.bucket>): Place {
  const store = s3Store(settings, env.backups.folder);
  return {
    async write(name, source) {
      await store.write(name, source);
      await store.write(NEWEST, once(Buffer.from(`${name} ${proofOf(name)}`)));
    },
    open: (name) => store.open(name),
    async newest() {
      const note = await store.open(NEWEST);
      if (!note) return null;
      const bytes = Buffer.alloc(Math.min(note.size, MAX_NOTE_BYTES));
      await note
        .reader(
          0,
          bytes.length,
        )(bytes)
        .finally(() => note.close());
      const [name = "", proof = ""] = bytes.toString().split(" ");
      if (env.backups.keys.some(({ key }) => isSame(proof, proofOf(name, key)))) return name;
      throw new OperatorError(
        `The note of the newest backup in the bucket was not written with BACKUP_KEYS. Name the backup instead of “latest”.`,
      );
    },
    thin: async () => {},
  };
}

/** Only who has the key of backups says which one is the newest. */
function proofOf(name: string, key = env.backups.keys[0]?.key): string {
  if (!key) throw new OperatorError("BACKUP_KEYS is not set.");
  return createHmac("sha256", key).update(`${NEWEST} ${name}`).digest("base64url");
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
