import { createHash } from "node:crypto";
import { access, constants, mkdir, open, readdir, statfs, unlink } from "node:fs/promises";
import path from "node:path";
import { createFsFileStorage } from "@remix-run/file-storage/fs";
import { now } from "../clock.ts";
import { isFileOlderThan } from "../file-age.server.ts";
import { logError } from "../http/errors.server.ts";
import { nullIfFileNotFound } from "./storage-errors.server.ts";
import type { FileStore, StoredFile } from "./file-store.ts";

/**
 * Stores files in a local folder, written by @remix-run/file-storage. Its reader and its `remove` are not used
 * (0.13.7): the reader leaks a file descriptor when a download is aborted, and `remove` stops if one of its two files
 * is missing.
 */
export function createFolderStore(folder: string): FileStore {
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

/** Syncs the file, its folder and the root folder to disk, so that the file and its name survive a power loss. */
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

/** Returns a File for the package, which iterates over `stream()` and reads `size` after the last byte. */
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

/** Without O_NONBLOCK, opening a named pipe blocks one of the four threads for all files until somebody writes to it. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Opens a local file; returns null if there is none or it is not a regular file. The caller must close it. */
export async function openLocalFile(name: string): Promise<StoredFile | null> {
  const file = await open(name, READ_FLAGS).catch(nullIfFileNotFound);
  if (!file) return null;
  const stats = await file.stat();
  if (!stats.isFile()) {
    await file.close();
    return null;
  }
  const { size } = stats;
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

/** Returns the paths that the package uses for a key: both files are named after the key's SHA-256. */
function pathsFor(folder: string, key: string) {
  const hash = createHash("sha256").update(key).digest("hex");
  const basePath = path.join(folder, hash.slice(0, 2), hash);
  return { data: `${basePath}.dat`, meta: `${basePath}.meta.json` };
}

/**
 * Deletes both files of a key. Keeps their folder, one of at most 256, because another upload may be about to write
 * there.
 */
async function deleteFiles(folder: string, key: string): Promise<void> {
  const { data, meta } = pathsFor(folder, key);
  await unlink(data).catch(nullIfFileNotFound);
  await unlink(meta).catch(nullIfFileNotFound);
}

/** Deletes orphaned files, including partial files, and metadata files whose data file is missing. */
async function deleteOrphans(folder: string, knownKeys: ReadonlySet<string>, before: Date): Promise<number> {
  const knownNames = new Set([...knownKeys].map((key) => path.basename(pathsFor(folder, key).data, ".dat")));
  let deletedCount = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    const file = path.join(entry.parentPath, entry.name);
    const isOrphan = /^[0-9a-f]{64}\.(dat|meta\.json)$/.test(entry.name) && !knownNames.has(entry.name.slice(0, 64));
    if (!isOrphan || !(await isFileOlderThan(file, before))) continue;
    try {
      await unlink(file).catch(nullIfFileNotFound);
      deletedCount += 1;
    } catch (error) {
      // One file that can't be deleted must not keep the others.
      logError(error, "removing a file without a record");
    }
  }
  return deletedCount;
}
