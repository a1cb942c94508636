import { createHash, createSecretKey } from "node:crypto";
import { createClosableStream, type ClosableStream } from "./closable-stream.server.ts";
import {
  CHUNK_BYTES,
  chunkBody,
  chunkOffset,
  CorruptFileError,
  type DataKey,
  decryptChunkInPlace,
  detachBuffer,
  encryptChunkInPlace,
  encryptedSize,
  type PreparedKey,
  splitChunks,
  STORED_CHUNK_BYTES,
} from "./chunk-encryption.server.ts";
import type { StoredFile } from "./file-store.ts";
import { fileStore } from "./configured-file-store.server.ts";

/** Number of chunks that are written to the storage at once. */
const CHUNKS_PER_WRITE = 4;

/** A stored file: its storage key, its data key and its plaintext size in bytes. */
export type EncryptedFile = { key: string; dataKey: DataKey; size: number };

/**
 * Encrypts `source` into the storage. Returns the plaintext's size in bytes and its SHA-256 in hex. If the source or
 * the storage fails, deletes the partial file and throws the error.
 */
export async function writeEncryptedFile(
  key: string,
  dataKey: DataKey,
  source: AsyncIterable<Uint8Array>,
): Promise<{ size: number; sha256: string }> {
  const preparedKey = prepareKey(dataKey);
  const hash = createHash("sha256");
  let size = 0;
  async function* encryptedChunks() {
    let index = 0;
    for await (const stored of fillChunks(source)) {
      for (const chunk of splitChunks(stored)) {
        hash.update(chunkBody(chunk));
        size += chunkBody(chunk).length;
        encryptChunkInPlace(chunk, index++, preparedKey);
      }
      yield stored;
    }
  }
  await fileStore.write(key, encryptedChunks());
  return { size, sha256: hash.digest("hex") };
}

/**
 * Streams the plaintext bytes [from, to), or returns null if there is no file. The first chunk is authenticated before
 * this resolves; the iteration throws CorruptFileError on a later chunk that fails. A chunk is valid only until the
 * next one is requested. The caller must read to the end or call `close`.
 */
export async function readEncryptedFile(
  { key, dataKey, size }: EncryptedFile,
  from = 0,
  to = size,
): Promise<ClosableStream | null> {
  const file = await fileStore.open(key);
  if (!file) return null;
  const chunks = plaintextChunks(file, { dataKey, size, from, to });
  let firstChunk: IteratorResult<Uint8Array, void> | null = await chunks.next();
  return createClosableStream(
    async () => {
      const result = firstChunk ?? (await chunks.next());
      firstChunk = null;
      return result;
    },
    // Not awaited, because a read from a bucket that is in progress may take its whole timeout.
    async () => void chunks.return().catch(() => {}),
  );
}

/** Copies the source into one buffer, which is reused, and leaves 16 bytes after each chunk for its tag. */
async function* fillChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(CHUNKS_PER_WRITE * STORED_CHUNK_BYTES);
  let filledBytes = 0;
  for await (const bytes of source) {
    for (let offset = 0; offset < bytes.length;) {
      const offsetInChunk = filledBytes % CHUNK_BYTES;
      const byteCount = Math.min(bytes.length - offset, CHUNK_BYTES - offsetInChunk);
      const target = chunkOffset(Math.floor(filledBytes / CHUNK_BYTES)) + offsetInChunk;
      buffer.set(bytes.subarray(offset, offset + byteCount), target);
      filledBytes += byteCount;
      offset += byteCount;
      if (filledBytes < CHUNKS_PER_WRITE * CHUNK_BYTES) continue;
      yield buffer;
      filledBytes = 0;
    }
    detachBuffer(bytes);
  }
  if (filledBytes > 0) yield buffer.subarray(0, encryptedSize(filledBytes));
}

type PlaintextRange = { dataKey: DataKey; size: number; from: number; to: number };

/**
 * Decrypts the chunks one by one into the same buffer. Closes the file at the end, on an error, or when the reader
 * returns.
 */
async function* plaintextChunks(
  file: StoredFile,
  { dataKey, size, from, to }: PlaintextRange,
): AsyncGenerator<Uint8Array, void> {
  try {
    if (file.size !== encryptedSize(size)) {
      throw new CorruptFileError(`The file has ${file.size} bytes, not ${encryptedSize(size)}.`);
    }
    const preparedKey = prepareKey(dataKey);
    const firstIndex = Math.floor(from / CHUNK_BYTES);
    const end = Math.min(chunkOffset(Math.ceil(to / CHUNK_BYTES)), file.size);
    const readNextBytes = file.createReader(chunkOffset(firstIndex), end);
    const buffer = Buffer.alloc(STORED_CHUNK_BYTES);
    for (let index = firstIndex; chunkOffset(index) < end; index += 1) {
      const chunk = buffer.subarray(0, Math.min(STORED_CHUNK_BYTES, end - chunkOffset(index)));
      if ((await readNextBytes(chunk)) < chunk.length) throw new CorruptFileError("The file ended too early.");
      decryptChunkInPlace(chunk, index, preparedKey);
      const plaintext = chunkBody(chunk);
      const position = index * CHUNK_BYTES;
      yield plaintext.subarray(Math.max(0, from - position), Math.min(plaintext.length, to - position));
    }
  } finally {
    await file.close();
  }
}

function prepareKey({ key, isPlaintext }: DataKey): PreparedKey {
  return { key: createSecretKey(key), isPlaintext };
}
