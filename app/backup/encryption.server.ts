import { createSecretKey, randomBytes } from "node:crypto";
import { unwrapDataKey, type WrappedKey, wrapDataKey } from "../files/file-keys.server.ts";
import {
  plaintextOf,
  CorruptFileError,
  type DataKey,
  decryptChunk,
  ENCRYPTED_CHUNK_BYTES,
  encryptedSize,
  CHUNK_BYTES,
  encryptChunk,
} from "../files/chunk-encryption.server.ts";
import type { StoredFile } from "../files/file-store.ts";
import { env } from "../env.server.ts";
import { OperatorError } from "../operator-error.ts";
import { openBackup } from "./backup-storage.server.ts";
import { type Frame, encodeFrames, decodeFrames } from "./format.server.ts";

const KEY_BYTES = 32;
const HEADER_PATTERN = /^family-advocacy-backup 1 ([\w-]{1,40}) ([\w+/=]{40,120})\n/;
const MAX_HEADER_BYTES = 256;

type ReadInto = ReturnType<StoredFile["createReader"]>;

/**
 * A backup as it lies on a disk: one line with the name of the BACKUP_KEYS key and, wrapped by it, the key that only this
 * file has; then its frames in the sealed segments of the documents (AES-256-GCM, each with its tag and number).
 */
export async function* encryptBackup(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  const dataKey = { key: randomBytes(KEY_BYTES), isPlaintext: false };
  const { fileKey, keyId } = wrapDataKey(dataKey, requireKeys());
  yield Buffer.from(`family-advocacy-backup 1 ${keyId} ${fileKey}\n`);
  yield* encryptChunks(encodeFrames(frames), dataKey);
}

/** The frames of a backup, each proven. Throws StartError where it is none of ours, its key is missing or it is damaged. */
export async function* decryptBackup(name: string): AsyncGenerator<Frame> {
  const keys = requireKeys();
  const file = await openBackup(name);
  try {
    // One reader, from the beginning to the end: in a bucket that is one answer.
    const read = file.createReader(0, file.size);
    const header = Buffer.alloc(Math.min(MAX_HEADER_BYTES, file.size));
    await read(header);
    const [headerLine = "", keyId = "", fileKey = ""] = HEADER_PATTERN.exec(header.toString("latin1")) ?? [];
    if (!headerLine) throw new OperatorError("This is no backup of this product, or its first line is damaged.");
    const dataKey = unwrapBackupKey({ fileKey, keyId }, keys);
    yield* decodeFrames(decryptChunks(header.subarray(headerLine.length), read, dataKey));
  } catch (error) {
    if (error instanceof CorruptFileError)
      throw new OperatorError(`The backup is damaged or was cut short. ${error.message}`);
    throw error;
  } finally {
    await file.close();
  }
}

/** Cuts what comes into segments and seals each; every buffer is a new one. */
async function* encryptChunks(source: AsyncIterable<Buffer>, dataKey: DataKey): AsyncGenerator<Buffer> {
  const preparedKey = prepareKey(dataKey);
  let index = 0;
  let chunk = Buffer.alloc(ENCRYPTED_CHUNK_BYTES);
  let filledBytes = 0;
  for await (const bytes of source) {
    for (let offset = 0; offset < bytes.length;) {
      const byteCount = Math.min(bytes.length - offset, CHUNK_BYTES - filledBytes);
      chunk.set(bytes.subarray(offset, offset + byteCount), filledBytes);
      filledBytes += byteCount;
      offset += byteCount;
      if (filledBytes < CHUNK_BYTES) continue;
      encryptChunk(chunk, index++, preparedKey);
      yield chunk;
      chunk = Buffer.alloc(ENCRYPTED_CHUNK_BYTES);
      filledBytes = 0;
    }
  }
  if (filledBytes === 0) return;
  const lastChunk = chunk.subarray(0, encryptedSize(filledBytes));
  encryptChunk(lastChunk, index, preparedKey);
  yield lastChunk;
}

/** What the segments carry; `begun` are the first bytes, which were read already. */
async function* decryptChunks(firstBytes: Buffer, read: ReadInto, dataKey: DataKey): AsyncGenerator<Buffer> {
  const preparedKey = prepareKey(dataKey);
  let leftover = firstBytes;
  for (let index = 0; ; index++) {
    const chunk = Buffer.alloc(ENCRYPTED_CHUNK_BYTES);
    leftover.copy(chunk);
    const length = leftover.length + (await read(chunk.subarray(leftover.length)));
    if (length === 0) return;
    leftover = leftover.subarray(leftover.length);
    decryptChunk(chunk.subarray(0, length), index, preparedKey);
    yield plaintextOf(chunk.subarray(0, length));
  }
}

function prepareKey({ key, isPlaintext }: DataKey) {
  return { key: createSecretKey(key), isPlaintext };
}

function requireKeys() {
  if (env.backups.keys.length > 0) return env.backups.keys;
  throw new OperatorError(
    "BACKUP_KEYS is not set: backups are encrypted, and this is the key. See docs/operations.md.",
  );
}

function unwrapBackupKey(wrappedKey: WrappedKey, keys: ReturnType<typeof requireKeys>): DataKey {
  try {
    return unwrapDataKey(wrappedKey, keys);
  } catch (error) {
    throw new OperatorError(`BACKUP_KEYS does not open this backup. ${(error as Error).message}`);
  }
}
