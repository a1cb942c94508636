import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { chmod, lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { isMainThread } from "node:worker_threads";

/** Other people of the machine have no business in families' records: what is made from now on is this account's alone. */
const UMASK = 0o077;
const SQLITE_FILES = ["", "-wal", "-shm", "-journal", "-migrating"];

/**
 * For every process that may write: whatever it makes is readable for its own account alone, and so is what lies in
 * `dataDir` and the database's files, also where they were made with wider modes. What belongs to another account stays.
 */
export function restrictModes(dataDir: string, databaseUrl: string): void {
  // A thread has the mask of its process, and may not set it.
  if (isMainThread) process.umask(UMASK);
  restrict(dataDir);
  for (const name of readdirSync(dataDir)) restrict(path.join(dataDir, name));
  if (!databaseUrl.startsWith("file:")) return;
  for (const end of SQLITE_FILES) restrict(databaseUrl.slice("file:".length) + end);
}

/** The same for everything below `folder`. */
export async function restrictBelow(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const name of [folder, ...entries.map((entry) => path.join(entry.parentPath, entry.name))]) {
    try {
      const { mode } = await lstat(name);
      if (isWide(mode)) await chmod(name, mode & ~UMASK & 0o7777);
    } catch {
      // Removed meanwhile, or another account's.
    }
  }
}

function restrict(name: string): void {
  try {
    const { mode } = lstatSync(name);
    if (isWide(mode)) chmodSync(name, mode & ~UMASK & 0o7777);
  } catch {
    // Not there, or another account's.
  }
}

/** A link has no mode of its own: it is left alone. */
function isWide(mode: number): boolean {
  return (mode & UMASK) !== 0 && (mode & 0o170000) !== 0o120000;
}
