import { randomBytes } from "node:crypto";
import { env } from "../env.server.ts";
import type { FileStore } from "./file-store.ts";
import { folderStore } from "./folder-store.server.ts";
import { s3Store } from "./s3-store.server.ts";

const KEY_BYTES = 24;

export const fileStore: FileStore = env.files.bucket
  ? s3Store(env.files.bucket, env.files.folder)
  : folderStore(env.files.folder);

/** Returns a random storage key: 48 hex digits that reveal nothing about the file. */
export function newStorageKey(): string {
  return randomBytes(KEY_BYTES).toString("hex");
}
