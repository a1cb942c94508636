import { createSecretKey, randomBytes } from "node:crypto";
import { unwrapDataKey, type WrappedKey, wrapDataKey } from "../files/data-keys.server.ts";
import {
  chunkBody,
  CorruptFileError,
  type DataKey,
  decryptChunkInPlace,
  STORED_CHUNK_BYTES,
  encryptedSize,
  CHUNK_BYTES,
  encryptChunkInPlace,
} from "../files/chunk-encryption.server.ts";
import type { StoredFile } from "../files/file-store.ts";
import { env } from "../env.server.ts";
import { OperatorError } from "../operator-error.ts";
import { openBackup } from "./backup-storage.server.ts";
import { type Frame, encodeFrames, decodeFrames } from "./backup-frame-format.server.ts";

const KEY_BYTES = 32;
const HEADER_PATTERN = /^family-advocacy-backup 1 ([\w-]{1,40}) ([\w+/=]{40,120})\n/;
const MAX_HEADER_BYTES = 256;

type ReadInto = ReturnType<StoredFile["createReader"]>;

/**
 * Yields the bytes of a backup file: a header line with the id of the newest BACKUP_KEYS key and the file's data key
 * wrapped by it, then the frames in chunks encrypted as for documents (AES-256-GCM, numbered, each with its tag).
 */
export async function* encryptBackup(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  const dataKey = { key: randomBytes(KEY_BYTES), isPlaintext: false };
  const { wrappedDataKey, keyId } = wrapDataKey(dataKey, requireBackupKeys());
  yield Buffer.from(`family-advocacy-backup 1 ${keyId} ${wrappedDataKey}\n`);
  yield* encryptChunks(encodeFrames(frames), dataKey);
}

/**
 * Yields the authenticated frames of a backup. Throws OperatorError for an unknown format, a missing key or a damaged
 * file.
 */
export async function* decryptBackup(name: string): AsyncGenerator<Frame> {
  const keys = requireBackupKeys();
  const file = await openBackup(name);
  try {
    // Use one reader for the whole file, because it makes a single request to a bucket.
    const read = file.createReader(0, file.size);
    const header = Buffer.alloc(Math.min(MAX_HEADER_BYTES, file.size));
    await read(header);
    const [headerLine = "", keyId = "", wrappedDataKey = ""] = HEADER_PATTERN.exec(header.toString("latin1")) ?? [];
    if (!headerLine) throw new OperatorError("This file is not a backup of this app, or its first line is damaged.");
    const dataKey = unwrapBackupDataKey({ wrappedDataKey, keyId }, keys);
    yield* decodeFrames(decryptChunks(header.subarray(headerLine.length), read, dataKey));
  } catch (error) {
    if (error instanceof CorruptFileError)
      throw new OperatorError(`The backup is damaged or was cut short. ${error.message}`);
    throw error;
  } finally {
    await file.close();
  }
}

/** Encrypts the source in chunks. Each chunk is yielded in a new buffer. */
async function* encryptChunks(source: AsyncIterable<Buffer>, dataKey: DataKey): AsyncGenerator<Buffer> {
  const preparedKey = prepareKey(dataKey);
  let index = 0;
  let chunk = Buffer.alloc(STORED_CHUNK_BYTES);
  let filledBytes = 0;
  for await (const bytes of source) {
    for (let offset = 0; offset < bytes.length;) {
      const byteCount = Math.min(bytes.length - offset, CHUNK_BYTES - filledBytes);
      chunk.set(bytes.subarray(offset, offset + byteCount), filledBytes);
      filledBytes += byteCount;
      offset += byteCount;
      if (filledBytes < CHUNK_BYTES) continue;
      encryptChunkInPlace(chunk, index++, preparedKey);
      yield chunk;
      chunk = Buffer.alloc(STORED_CHUNK_BYTES);
      filledBytes = 0;
    }
  }
  if (filledBytes === 0) return;
  const lastChunk = chunk.subarray(0, encryptedSize(filledBytes));
  encryptChunkInPlace(lastChunk, index, preparedKey);
  yield lastChunk;
}

/** Yields the plaintext of the chunks. `firstBytes` have already been read together with the header line. */
async function* decryptChunks(firstBytes: Buffer, read: ReadInto, dataKey: DataKey): AsyncGenerator<Buffer> {
  const preparedKey = prepareKey(dataKey);
  let pending = firstBytes;
  for (let index = 0; ; index++) {
    const chunk = Buffer.alloc(STORED_CHUNK_BYTES);
    pending.copy(chunk);
    const length = pending.length + (await read(chunk.subarray(pending.length)));
    if (length === 0) return;
    pending = pending.subarray(pending.length);
    decryptChunkInPlace(chunk.subarray(0, length), index, preparedKey);
    yield chunkBody(chunk.subarray(0, length));
  }
}

function prepareKey({ key, isPlaintext }: DataKey) {
  return { key: createSecretKey(key), isPlaintext };
}

function requireBackupKeys() {
  if (env.backups.keys.length > 0) return env.backups.keys;
  throw new OperatorError(
    "BACKUP_KEYS is not set: backups are encrypted, and this is the key. See docs/operations.md.",
  );
}

function unwrapBackupDataKey(wrappedKey: WrappedKey, keys: ReturnType<typeof requireBackupKeys>): DataKey {
  try {
    return unwrapDataKey(wrappedKey, keys);
  } catch (error) {
    throw new OperatorError(`BACKUP_KEYS can't decrypt this backup. ${(error as Error).message}`);
  }
}
