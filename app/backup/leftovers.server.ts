import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { env } from "../env.server.ts";

/** Behind the name of the database, before the number of the process that makes the copy. */
export const PICTURE = "-backing-up-";
/** bin/backup.js names the folders of rehearsals so, and then the number of its process. */
const REHEARSAL = "rehearsal-";

/** Removes the copies of the database, and the scratch places of rehearsals, whose process no longer runs. */
export async function removeLeftovers(): Promise<void> {
  await removeBegunBy(env.dataDir, REHEARSAL);
  if (!env.databaseUrl.startsWith("file:")) return;
  const database = env.databaseUrl.slice("file:".length);
  await removeBegunBy(path.dirname(database), `${path.basename(database)}${PICTURE}`);
}

async function removeBegunBy(folder: string, start: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(start)) continue;
    const maker = Number(/^\d+/.exec(name.slice(start.length))?.[0] ?? 0);
    if (!isRunning(maker)) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
