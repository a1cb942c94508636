import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { chmod, lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { isMainThread } from "node:worker_threads";

/** Removes access for group and others: new files are private to this account. */
const UMASK = 0o077;
const SQLITE_FILE_SUFFIXES = ["", "-wal", "-shm", "-journal", "-migrating"];

/**
 * Makes files private to this account: new ones by the umask, and by chmod the existing entries of `dataDir` and the
 * SQLite database's files. Files of another account and a folder that accounts share stay unchanged.
 */
export function setUmaskAndRestrictFileModes(dataDir: string, databaseUrl: string): void {
  // A worker thread inherits the umask and can't set it.
  if (isMainThread) process.umask(UMASK);
  // A folder such as /tmp is shared: restricting it would lock out every other program of the computer.
  if (!hasStickyBit(dataDir)) {
    restrictFileMode(dataDir);
    for (const name of readdirSync(dataDir)) restrictFileMode(path.join(dataDir, name));
  }
  if (!databaseUrl.startsWith("file:")) return;
  for (const suffix of SQLITE_FILE_SUFFIXES) restrictFileMode(databaseUrl.slice("file:".length) + suffix);
}

/** Makes `folder` and everything below it private to this account. Files of another account stay unchanged. */
export async function restrictFileModesRecursively(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const name of [folder, ...entries.map((entry) => path.join(entry.parentPath, entry.name))]) {
    try {
      const { mode } = await lstat(name);
      if (isAccessibleToOthers(mode)) await chmod(name, mode & ~UMASK & 0o7777);
    } catch {
      // Deleted in the meantime, or owned by another account.
    }
  }
}

/** Returns true for a folder with the sticky bit. */
function hasStickyBit(folder: string): boolean {
  return (lstatSync(folder).mode & 0o1000) !== 0;
}

function restrictFileMode(name: string): void {
  try {
    const { mode } = lstatSync(name);
    if (isAccessibleToOthers(mode)) chmodSync(name, mode & ~UMASK & 0o7777);
  } catch {
    // Missing, or owned by another account.
  }
}

/** Returns false for a symbolic link, which has no mode of its own. */
function isAccessibleToOthers(mode: number): boolean {
  return (mode & UMASK) !== 0 && (mode & 0o170000) !== 0o120000;
}
