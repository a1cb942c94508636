import { createCipheriv, createDecipheriv, type KeyObject } from "node:crypto";

/** Files are kept in segments of this many bytes, each followed by its tag: none is sent before it is proven whole. */
export const SEGMENT_BYTES = 64 * 1024;
const TAG_BYTES = 16;
export const SEALED_SEGMENT_BYTES = SEGMENT_BYTES + TAG_BYTES;

/** Less is cheaper to leave; and Node cuts small buffers out of a common one of 8 KiB. */
const LEAST_GIVEN_BACK = 16 * 1024;

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;

/** What opens one file: a key that no other file has. `isPlain`: it proves the segments, and does not hide them. */
export type Lock = { key: Uint8Array; isPlain: boolean };

/** The same, made ready once for all segments: the bytes of a key are looked through anew for every cipher. */
export type ReadyLock = { key: KeyObject; isPlain: boolean };

/** A stored file is not what was stored: changed, cut short, or its key is not among ours. */
export class BrokenFile extends Error {
  override name = "BrokenFile";
}

/** How many bytes the storage holds for a file of `size` bytes. */
export function sealedSize(size: number): number {
  return size + Math.ceil(size / SEGMENT_BYTES) * TAG_BYTES;
}

/** Where segment `index` begins in the storage. */
export function segmentStart(index: number): number {
  return index * SEALED_SEGMENT_BYTES;
}

/** The sealed segments that lie one after another in `bytes`; only the last of a file may be shorter. */
export function* segmentsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += SEALED_SEGMENT_BYTES) yield bytes.subarray(at, at + SEALED_SEGMENT_BYTES);
}

/** What a segment carries, without its tag. */
export function bodyOf(segment: Buffer): Buffer {
  return segment.subarray(0, segment.length - TAG_BYTES);
}

/** Seals a segment where it lies: its body, and behind it room for the tag. */
export function sealSegment(segment: Buffer, index: number, { key, isPlain }: ReadyLock): void {
  const body = bodyOf(segment);
  const cipher = createCipheriv(CIPHER, key, nonceOf(index), { authTagLength: TAG_BYTES });
  if (isPlain) cipher.setAAD(body);
  else replace(body, cipher.update(body));
  cipher.final();
  segment.set(cipher.getAuthTag(), body.length);
}

/** Opens a segment where it lies. Throws BrokenFile where it is not as it was sealed; it is then still closed. */
export function openSegment(segment: Buffer, index: number, { key, isPlain }: ReadyLock): void {
  if (segment.length <= TAG_BYTES) throw new BrokenFile(`Segment ${index} is cut short.`);
  const body = bodyOf(segment);
  const cipher = createDecipheriv(CIPHER, key, nonceOf(index), { authTagLength: TAG_BYTES });
  cipher.setAuthTag(segment.subarray(body.length));
  if (isPlain) cipher.setAAD(body);
  const opened = isPlain ? null : cipher.update(body);
  try {
    cipher.final();
  } catch {
    throw new BrokenFile(`Segment ${index} is not as it was stored.`);
  }
  if (opened) replace(body, opened);
}

function replace(body: Buffer, bytes: Buffer): void {
  body.set(bytes);
  giveBack(bytes);
}

/**
 * Gives memory back at once that nobody else looks at. Left to the collector, a 50 MB file makes it run every 20 MB,
 * which took more processor time than all the rest (seen with Node 24.21).
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  const isAllOfIt = byteLength === buffer.byteLength && byteLength >= LEAST_GIVEN_BACK;
  if (isAllOfIt && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** A key seals each number once, so the number alone makes the nonce unique. */
function nonceOf(index: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(index, NONCE_BYTES - 4);
  return nonce;
}
