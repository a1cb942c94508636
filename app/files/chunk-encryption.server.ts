import { createCipheriv, createDecipheriv, type KeyObject } from "node:crypto";

/**
 * Number of plaintext bytes of one chunk. Each chunk is stored with its own tag and is authenticated before it is sent.
 */
export const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
export const STORED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;

/**
 * Minimum size of buffers to detach. Smaller ones are left to the garbage collector, and Node allocates some of them
 * from a shared pool of 8 KiB.
 */
const MIN_DETACH_BYTES = 16 * 1024;

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;

/** The key of a single file. `isPlaintext`: chunks are authenticated with it but not encrypted. */
export type DataKey = { key: Uint8Array; isPlaintext: boolean };

/**
 * A data key as a KeyObject, created once per file. Otherwise Node would import the raw bytes again for each cipher.
 */
export type PreparedKey = { key: KeyObject; isPlaintext: boolean };

/** A stored file failed its check: it was changed or truncated, or no known key decrypts it. */
export class CorruptFileError extends Error {
  override name = "CorruptFileError";
}

/** Returns the number of stored bytes, including tags, of a file of `size` plaintext bytes. */
export function encryptedSize(size: number): number {
  return size + Math.ceil(size / CHUNK_BYTES) * TAG_BYTES;
}

/** Returns the byte offset of chunk `index` in the stored file. */
export function chunkOffset(index: number): number {
  return index * STORED_CHUNK_BYTES;
}

/** Splits `bytes` into stored chunks; only the last chunk of a file may be shorter. */
export function* splitChunks(bytes: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += STORED_CHUNK_BYTES)
    yield bytes.subarray(offset, offset + STORED_CHUNK_BYTES);
}

/** Returns the part of a stored chunk before its tag. */
export function chunkBody(chunk: Buffer): Buffer {
  return chunk.subarray(0, chunk.length - TAG_BYTES);
}

/** Encrypts a chunk in place. Its last 16 bytes are overwritten by the tag. */
export function encryptChunkInPlace(chunk: Buffer, index: number, { key, isPlaintext }: PreparedKey): void {
  const body = chunkBody(chunk);
  const cipher = createCipheriv(CIPHER, key, chunkNonce(index), { authTagLength: TAG_BYTES });
  if (isPlaintext) cipher.setAAD(body);
  else copyAndDetach(body, cipher.update(body));
  cipher.final();
  chunk.set(cipher.getAuthTag(), body.length);
}

/** Decrypts a chunk in place. Throws CorruptFileError, and leaves the chunk encrypted, when authentication fails. */
export function decryptChunkInPlace(chunk: Buffer, index: number, { key, isPlaintext }: PreparedKey): void {
  if (chunk.length <= TAG_BYTES) throw new CorruptFileError(`Chunk ${index} is cut short.`);
  const body = chunkBody(chunk);
  const decipher = createDecipheriv(CIPHER, key, chunkNonce(index), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(chunk.subarray(body.length));
  if (isPlaintext) decipher.setAAD(body);
  const decrypted = isPlaintext ? null : decipher.update(body);
  try {
    decipher.final();
  } catch {
    throw new CorruptFileError(`Chunk ${index} is not as it was stored.`);
  }
  if (decrypted) copyAndDetach(body, decrypted);
}

function copyAndDetach(body: Buffer, bytes: Buffer): void {
  body.set(bytes);
  detachBuffer(bytes);
}

/**
 * Frees a buffer's memory immediately; the caller must not use it again. If this were left to the garbage collector, a
 * file of 50 MB would trigger a collection every 20 MB, which took more CPU time than everything else (Node 24.21).
 */
export function detachBuffer({ buffer, byteLength }: Uint8Array): void {
  const ownsWholeBuffer = byteLength === buffer.byteLength && byteLength >= MIN_DETACH_BYTES;
  if (ownsWholeBuffer && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/**
 * Returns the nonce of a chunk. A data key encrypts each chunk index only once, so the index alone makes the nonce
 * unique.
 */
function chunkNonce(index: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(index, NONCE_BYTES - 4);
  return nonce;
}
