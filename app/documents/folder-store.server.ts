import { createHash } from "node:crypto";
import { access, constants, mkdir, open, readdir, stat, statfs, unlink } from "node:fs/promises";
import path from "node:path";
import { createFsFileStorage } from "@remix-run/file-storage/fs";
import { now } from "../clock.ts";
import { isMissing } from "./store-errors.server.ts";
import type { FileStore, StoredFile } from "./file-store.ts";

/**
 * A local folder, through @remix-run/file-storage. Reading is our own: the package's reader keeps its file open for
 * good when a visitor leaves half-way (seen with 0.13.7), so a hundred broken downloads would use up a process's files.
 */
export function folderStore(folder: string): FileStore {
  let storage: ReturnType<typeof createFsFileStorage> | undefined;
  const opened = () => (storage ??= createFsFileStorage(folder));
  return {
    async write(key, source) {
      try {
        await opened().set(key, sourceFile(key, source));
        await settle(folder, key);
      } catch (error) {
        await removeBoth(folder, key);
        throw error;
      }
    },
    async open(key) {
      return openOnDisk(placeOf(folder, key).data);
    },
    remove: (key) => removeBoth(folder, key),
    removeStrays: (kept, before) => removeStrays(folder, kept, before),
    async answers() {
      await mkdir(folder, { recursive: true });
      return access(folder, constants.R_OK | constants.W_OK).then(
        () => true,
        () => false,
      );
    },
    async space() {
      await mkdir(folder, { recursive: true });
      const { bavail, blocks, bsize } = await statfs(folder);
      return { free: bavail * bsize, whole: blocks * bsize };
    },
  };
}

/** Written is not yet kept: the file, its name in its folder and the folder's own are made to outlast the loss of power. */
async function settle(folder: string, key: string): Promise<void> {
  const { data } = placeOf(folder, key);
  for (const part of [data, path.dirname(data), folder]) {
    const file = await open(part);
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

/** What the package writes: it only iterates, and asks for the size when the last byte is through. */
function sourceFile(name: string, source: AsyncIterable<Uint8Array>): File {
  let size = 0;
  async function* counted() {
    for await (const part of source) {
      size += part.length;
      yield part;
    }
  }
  const file = {
    name,
    type: "",
    lastModified: now().getTime(),
    get size() {
      return size;
    },
    stream: () => counted(),
  };
  return file as unknown as File;
}

/** A file of this machine; null where there is none. */
export async function openOnDisk(name: string): Promise<StoredFile | null> {
  const file = await open(name).catch(isMissing);
  if (!file) return null;
  const { size } = await file.stat();
  return {
    size,
    reader(from, to) {
      let at = from;
      return async (target) => {
        const wanted = Math.min(target.length, to - at);
        let filled = 0;
        while (filled < wanted) {
          const { bytesRead } = await file.read(target, filled, wanted - filled, at);
          if (bytesRead === 0) break;
          filled += bytesRead;
          at += bytesRead;
        }
        return filled;
      };
    },
    close: () => file.close(),
  };
}

/** Where the package puts a key: named after the key's hash, with what it notes down beside it. */
function placeOf(folder: string, key: string) {
  const hash = createHash("sha256").update(key).digest("hex");
  const base = path.join(folder, hash.slice(0, 2), hash);
  return { data: `${base}.dat`, meta: `${base}.meta.json` };
}

/**
 * The package's own `remove` gives up half-way when one of the two is missing. Their folder, one of at most 256, stays:
 * another file may be about to be written there.
 */
async function removeBoth(folder: string, key: string): Promise<void> {
  const { data, meta } = placeOf(folder, key);
  await unlink(data).catch(isMissing);
  await unlink(meta).catch(isMissing);
}

/** Files are named after the hashes of their keys; half a file, and a note without its file, count as files. */
async function removeStrays(folder: string, kept: ReadonlySet<string>, before: Date): Promise<number> {
  const names = new Set([...kept].map((key) => path.basename(placeOf(folder, key).data, ".dat")));
  let removed = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    const file = path.join(entry.parentPath, entry.name);
    const isOurs = /^[0-9a-f]{64}\.(dat|meta\.json)$/.test(entry.name) && !names.has(entry.name.slice(0, 64));
    if (!isOurs || (await stat(file)).mtimeMs >= before.getTime()) continue;
    await unlink(file).catch(isMissing);
    removed += 1;
  }
  return removed;
}
