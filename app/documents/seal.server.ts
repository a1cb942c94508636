import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { env } from "../env.server.ts";
import type { FileKey } from "../env-variables.server.ts";

/** Files are kept in segments of this many bytes, each followed by its tag: none is sent before it is proven whole. */
export const SEGMENT_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_SEGMENT_BYTES = SEGMENT_BYTES + TAG_BYTES;

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const KEY_BYTES = 32;

/** What opens one file: a key that no other file has. `isPlain`: it proves the segments, and does not hide them. */
export type Lock = { key: Buffer; isPlain: boolean };

/** How a lock is written into the document's record. */
export type KeptLock = { fileKey: string; keyId: string | null };

/** A stored file is not what was stored: changed, cut short, or its key is not among ours. */
export class BrokenFile extends Error {
  override name = "BrokenFile";
}

/** A new file's lock, and how it is kept: wrapped by the newest envelope key, if there is one. */
export function makeLock(): { lock: Lock; kept: KeptLock } {
  const lock = { key: randomBytes(KEY_BYTES), isPlain: env.files.keys.length === 0 };
  return { lock, kept: keepLock(lock) };
}

/** The same key, wrapped by the newest envelope key. */
export function keepLock({ key, isPlain }: Lock): KeptLock {
  const envelope = env.files.keys[0];
  if (isPlain || !envelope) return { fileKey: key.toString("base64"), keyId: null };
  return { fileKey: wrap(key, envelope).toString("base64"), keyId: envelope.id };
}

/** Throws BrokenFile where the envelope key is not among FILE_KEYS or does not fit. */
export function findLock({ fileKey, keyId }: { fileKey: string | null; keyId: string | null }): Lock {
  if (!fileKey) throw new BrokenFile("The record has no key.");
  const bytes = Buffer.from(fileKey, "base64");
  if (keyId === null) return { key: bytes, isPlain: true };
  const envelope = env.files.keys.find(({ id }) => id === keyId);
  if (!envelope) throw new BrokenFile(`FILE_KEYS has no key named ${keyId}.`);
  return { key: unwrap(bytes, envelope), isPlain: false };
}

/** How many bytes the storage holds for a file of `size` bytes. */
export function sealedSize(size: number): number {
  return size + Math.ceil(size / SEGMENT_BYTES) * TAG_BYTES;
}

/** Where segment `index` begins in the storage. */
export function segmentStart(index: number): number {
  return index * SEALED_SEGMENT_BYTES;
}

/** Cuts what comes into segments and seals each. The buffers are new ones; nothing is kept of the source's. */
export async function* seal(source: AsyncIterable<Uint8Array>, lock: Lock): AsyncGenerator<Buffer> {
  let index = 0;
  let segment = Buffer.allocUnsafeSlow(SEALED_SEGMENT_BYTES);
  let filled = 0;
  for await (const part of source) {
    let from = 0;
    while (from < part.length) {
      const taken = Math.min(part.length - from, SEGMENT_BYTES - filled);
      segment.set(part.subarray(from, from + taken), filled);
      filled += taken;
      from += taken;
      if (filled < SEGMENT_BYTES) continue;
      yield sealSegment(segment, filled, index++, lock);
      segment = Buffer.allocUnsafeSlow(SEALED_SEGMENT_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield sealSegment(segment, filled, index, lock);
}

/** Opens the stored segments from `index` on, one by one. Throws BrokenFile at the first that is not as it was sealed. */
export async function* unseal(stored: AsyncIterable<Uint8Array>, index: number, lock: Lock): AsyncGenerator<Buffer> {
  let next = index;
  for await (const piece of inPieces(stored)) yield openSegment(piece, next++, lock);
}

function sealSegment(segment: Buffer, filled: number, index: number, { key, isPlain }: Lock): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonceOf(index), { authTagLength: TAG_BYTES });
  const bytes = segment.subarray(0, filled);
  if (isPlain) cipher.setAAD(bytes);
  else segment.set(cipher.update(bytes));
  cipher.final();
  segment.set(cipher.getAuthTag(), filled);
  return segment.subarray(0, filled + TAG_BYTES);
}

function openSegment(piece: Uint8Array, index: number, { key, isPlain }: Lock): Buffer {
  const sealed = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
  const size = sealed.length - TAG_BYTES;
  if (size <= 0) throw new BrokenFile(`Segment ${index} is cut short.`);
  const cipher = createDecipheriv(CIPHER, key, nonceOf(index), { authTagLength: TAG_BYTES });
  cipher.setAuthTag(sealed.subarray(size));
  const body = sealed.subarray(0, size);
  // A copy either way: the store reads the next segment into the same buffer.
  if (isPlain) cipher.setAAD(body);
  const opened = isPlain ? Buffer.from(body) : cipher.update(body);
  try {
    cipher.final();
  } catch {
    throw new BrokenFile(`Segment ${index} is not as it was stored.`);
  }
  return opened;
}

/** A key seals each number once, so the number alone makes the nonce unique. */
function nonceOf(index: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(index, NONCE_BYTES - 4);
  return nonce;
}

async function* inPieces(stored: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Buffer[] = [];
  let held = 0;
  for await (const part of stored) {
    if (held === 0 && part.length === SEALED_SEGMENT_BYTES) {
      yield part;
      continue;
    }
    rest.push(Buffer.from(part));
    held += part.length;
    if (held < SEALED_SEGMENT_BYTES) continue;
    const whole = Buffer.concat(rest);
    let from = 0;
    for (; whole.length - from >= SEALED_SEGMENT_BYTES; from += SEALED_SEGMENT_BYTES) {
      yield whole.subarray(from, from + SEALED_SEGMENT_BYTES);
    }
    rest = [whole.subarray(from)];
    held = whole.length - from;
  }
  if (held > 0) yield Buffer.concat(rest);
}

function wrap(key: Buffer, envelope: FileKey): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, envelope.key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(envelope.id));
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
}

function unwrap(wrapped: Buffer, envelope: FileKey): Buffer {
  try {
    const cipher = createDecipheriv(CIPHER, envelope.key, wrapped.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    cipher.setAAD(Buffer.from(envelope.id));
    cipher.setAuthTag(wrapped.subarray(-TAG_BYTES));
    return Buffer.concat([cipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()]);
  } catch {
    throw new BrokenFile(`The key named ${envelope.id} is not the one that wrapped this file's.`);
  }
}
