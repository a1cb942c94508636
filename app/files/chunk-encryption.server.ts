import { createCipheriv, createDecipheriv, type KeyObject } from "node:crypto";

/** Files are kept in segments of this many bytes, each followed by its tag: none is sent before it is proven whole. */
export const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
export const ENCRYPTED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;

/** Less is cheaper to leave; and Node cuts small buffers out of a common one of 8 KiB. */
const MIN_DETACH_BYTES = 16 * 1024;

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;

/** What opens one file: a key that no other file has. `isPlain`: it proves the segments, and does not hide them. */
export type DataKey = { key: Uint8Array; isPlaintext: boolean };

/** The same, made ready once for all segments: the bytes of a key are looked through anew for every cipher. */
export type PreparedKey = { key: KeyObject; isPlaintext: boolean };

/** A stored file is not what was stored: changed, cut short, or its key is not among ours. */
export class CorruptFileError extends Error {
  override name = "CorruptFileError";
}

/** How many bytes the storage holds for a file of `size` bytes. */
export function encryptedSize(size: number): number {
  return size + Math.ceil(size / CHUNK_BYTES) * TAG_BYTES;
}

/** Where segment `index` begins in the storage. */
export function chunkOffset(index: number): number {
  return index * ENCRYPTED_CHUNK_BYTES;
}

/** The sealed segments that lie one after another in `bytes`; only the last of a file may be shorter. */
export function* splitChunks(bytes: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += ENCRYPTED_CHUNK_BYTES)
    yield bytes.subarray(offset, offset + ENCRYPTED_CHUNK_BYTES);
}

/** What a segment carries, without its tag. */
export function plaintextOf(chunk: Buffer): Buffer {
  return chunk.subarray(0, chunk.length - TAG_BYTES);
}

/** Seals a segment where it lies: its body, and behind it room for the tag. */
export function encryptChunk(chunk: Buffer, index: number, { key, isPlaintext }: PreparedKey): void {
  const body = plaintextOf(chunk);
  const cipher = createCipheriv(CIPHER, key, chunkNonce(index), { authTagLength: TAG_BYTES });
  if (isPlaintext) cipher.setAAD(body);
  else copyAndDetach(body, cipher.update(body));
  cipher.final();
  chunk.set(cipher.getAuthTag(), body.length);
}

/** Opens a segment where it lies. Throws BrokenFile where it is not as it was sealed; it is then still closed. */
export function decryptChunk(chunk: Buffer, index: number, { key, isPlaintext }: PreparedKey): void {
  if (chunk.length <= TAG_BYTES) throw new CorruptFileError(`Segment ${index} is cut short.`);
  const body = plaintextOf(chunk);
  const decipher = createDecipheriv(CIPHER, key, chunkNonce(index), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(chunk.subarray(body.length));
  if (isPlaintext) decipher.setAAD(body);
  const decrypted = isPlaintext ? null : decipher.update(body);
  try {
    decipher.final();
  } catch {
    throw new CorruptFileError(`Segment ${index} is not as it was stored.`);
  }
  if (decrypted) copyAndDetach(body, decrypted);
}

function copyAndDetach(body: Buffer, bytes: Buffer): void {
  body.set(bytes);
  detachBuffer(bytes);
}

/**
 * Gives memory back at once that nobody else looks at. Left to the collector, a 50 MB file makes it run every 20 MB,
 * which took more processor time than all the rest (seen with Node 24.21).
 */
export function detachBuffer({ buffer, byteLength }: Uint8Array): void {
  const ownsWholeBuffer = byteLength === buffer.byteLength && byteLength >= MIN_DETACH_BYTES;
  if (ownsWholeBuffer && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** A key seals each number once, so the number alone makes the nonce unique. */
function chunkNonce(index: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(index, NONCE_BYTES - 4);
  return nonce;
}
