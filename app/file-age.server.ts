import { stat } from "node:fs/promises";

/**
 * Whether a file was last changed before `time`. False if the file is gone, because another process may delete it, too.
 */
export async function isFileOlderThan(file: string, time: Date): Promise<boolean> {
  const stats = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return stats !== null && stats.mtimeMs < time.getTime();
}
