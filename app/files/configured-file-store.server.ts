import { randomBytes } from "node:crypto";
import { env } from "../env.server.ts";
import type { FileStore } from "./file-store.ts";
import { createFolderStore } from "./folder-store.server.ts";
import { createS3Store } from "./s3-store.server.ts";

const STORAGE_KEY_BYTES = 24;

export const fileStore: FileStore = env.files.bucket
  ? createS3Store(env.files.bucket, env.files.folder)
  : createFolderStore(env.files.folder);

/** Returns a random storage key: 48 hex digits that reveal nothing about the file. */
export function createStorageKey(): string {
  return randomBytes(STORAGE_KEY_BYTES).toString("hex");
}
