import { statfs } from "node:fs/promises";
import { version } from "../../package.json";
import { env } from "../env.server.ts";

/** Free and total bytes of the disk that contains DATA_DIR. */
export type DiskSpace = { freeBytes: number; totalBytes: number };

export async function readDiskSpace(): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(env.dataDir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/**
 * The running version, identified by the hash of the sources from which it was built, and when it was started (UTC).
 */
export const PROCESS_INFO = {
  version,
  build: String(import.meta.env.VITE_SOURCE_HASH ?? "").slice(0, 8) || "development",
  node: process.versions.node,
  startedAt: new Date(performance.timeOrigin),
};
