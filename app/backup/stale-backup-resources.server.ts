import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { env } from "../env.server.ts";
import { dropStaleRehearsalDatabases } from "./rehearsal-databases.server.ts";

/** Part of a copy's file name after the database's name; followed by the process id. */
export const SNAPSHOT_SUFFIX = "-backing-up-";
/** Beginning of the name of a rehearsal's folder (bin/backup.js); followed by the process id. */
const REHEARSAL_PREFIX = "rehearsal-";

/** Deletes database copies, and folders and databases of rehearsals, of processes that no longer run. */
export async function removeStaleBackupResources(): Promise<void> {
  await removeFilesOfEndedProcesses(env.dataDir, REHEARSAL_PREFIX);
  if (!env.databaseUrl.startsWith("file:")) return dropStaleRehearsalDatabases();
  const database = env.databaseUrl.slice("file:".length);
  await removeFilesOfEndedProcesses(path.dirname(database), `${path.basename(database)}${SNAPSHOT_SUFFIX}`);
}

async function removeFilesOfEndedProcesses(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(/^\d+/.exec(name.slice(prefix.length))?.[0] ?? 0);
    if (!isRunning(pid)) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
