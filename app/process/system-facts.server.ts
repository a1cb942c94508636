import { statfs } from "node:fs/promises";
import { version } from "../../package.json";
import { env } from "../env.server.ts";

/** In bytes, of the disk that DATA_DIR is on. */
export type DiskSpace = { freeBytes: number; totalBytes: number };

export async function readDiskSpace(): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(env.dataDir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Which version runs, by the hash of the sources that it was built from, and since when (UTC). */
export const PROCESS_INFO = {
  version,
  build: String(import.meta.env.VITE_SOURCE_HASH ?? "").slice(0, 8) || "development",
  node: process.versions.node,
  since: new Date(performance.timeOrigin),
};
