import { createHash } from "node:crypto";
import { access, constants, mkdir, open, readdir, stat, statfs, unlink } from "node:fs/promises";
import path from "node:path";
import { createFsFileStorage } from "@remix-run/file-storage/fs";
import { now } from "../clock.ts";
import { nullIfMissing } from "./storage-errors.server.ts";
import type { FileStore, StoredFile } from "./file-store.ts";

/**
 * A local folder, through @remix-run/file-storage. Reading is our own: the package's reader keeps its file open for
 * good when a visitor leaves half-way (seen with 0.13.7), so a hundred broken downloads would use up a process's files.
 */
export function folderStore(folder: string): FileStore {
  let storage: ReturnType<typeof createFsFileStorage> | undefined;
  const getStorage = () => (storage ??= createFsFileStorage(folder));
  return {
    async write(key, source) {
      try {
        await getStorage().set(key, toFile(key, source));
        await fsyncFile(folder, key);
      } catch (error) {
        await deleteFiles(folder, key);
        throw error;
      }
    },
    async open(key) {
      return openLocalFile(pathsFor(folder, key).data);
    },
    remove: (key) => deleteFiles(folder, key),
    deleteOrphans: (knownKeys, before) => deleteOrphans(folder, knownKeys, before),
    async ping() {
      await mkdir(folder, { recursive: true });
      return access(folder, constants.R_OK | constants.W_OK).then(
        () => true,
        () => false,
      );
    },
    async diskSpace() {
      await mkdir(folder, { recursive: true });
      const { bavail, blocks, bsize } = await statfs(folder);
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    },
  };
}

/** Written is not yet kept: the file, its name in its folder and the folder's own are made to outlast the loss of power. */
async function fsyncFile(folder: string, key: string): Promise<void> {
  const { data } = pathsFor(folder, key);
  for (const pathToSync of [data, path.dirname(data), folder]) {
    const file = await open(pathToSync);
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

/** What the package writes: it only iterates, and asks for the size when the last byte is through. */
function toFile(name: string, source: AsyncIterable<Uint8Array>): File {
  let size = 0;
  async function* countBytes() {
    for await (const chunk of source) {
      size += chunk.length;
      yield chunk;
    }
  }
  const file = {
    name,
    type: "",
    lastModified: now().getTime(),
    get size() {
      return size;
    },
    stream: () => countBytes(),
  };
  return file as unknown as File;
}

/** A file of this machine; null where there is none. */
export async function openLocalFile(name: string): Promise<StoredFile | null> {
  const file = await open(name).catch(nullIfMissing);
  if (!file) return null;
  const { size } = await file.stat();
  return {
    size,
    createReader(from, to) {
      let position = from;
      return async (target) => {
        const wantedBytes = Math.min(target.length, to - position);
        let filledBytes = 0;
        while (filledBytes < wantedBytes) {
          const { bytesRead } = await file.read(target, filledBytes, wantedBytes - filledBytes, position);
          if (bytesRead === 0) break;
          filledBytes += bytesRead;
          position += bytesRead;
        }
        return filledBytes;
      };
    },
    close: () => file.close(),
  };
}

/** Where the package puts a key: named after the key's hash, with what it notes down beside it. */
function pathsFor(folder: string, key: string) {
  const hash = createHash("sha256").update(key).digest("hex");
  const basePath = path.join(folder, hash.slice(0, 2), hash);
  return { data: `${basePath}.dat`, meta: `${basePath}.meta.json` };
}

/**
 * The package's own `remove` gives up half-way when one of the two is missing. Their folder, one of at most 256, stays:
 * another file may be about to be written there.
 */
async function deleteFiles(folder: string, key: string): Promise<void> {
  const { data, meta } = pathsFor(folder, key);
  await unlink(data).catch(nullIfMissing);
  await unlink(meta).catch(nullIfMissing);
}

/** Files are named after the hashes of their keys; half a file, and a note without its file, count as files. */
async function deleteOrphans(folder: string, knownKeys: ReadonlySet<string>, before: Date): Promise<number> {
  const knownNames = new Set([...knownKeys].map((key) => path.basename(pathsFor(folder, key).data, ".dat")));
  let deletedCount = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    const file = path.join(entry.parentPath, entry.name);
    const isOrphan = /^[0-9a-f]{64}\.(dat|meta\.json)$/.test(entry.name) && !knownNames.has(entry.name.slice(0, 64));
    if (!isOrphan || (await stat(file)).mtimeMs >= before.getTime()) continue;
    await unlink(file).catch(nullIfMissing);
    deletedCount += 1;
  }
  return deletedCount;
}
