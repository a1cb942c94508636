import { createSecretKey, randomBytes } from "node:crypto";
import { findLock, type KeptLock, keepLock } from "../documents/locks.server.ts";
import {
  bodyOf,
  BrokenFile,
  type Lock,
  openSegment,
  SEALED_SEGMENT_BYTES,
  sealedSize,
  SEGMENT_BYTES,
  sealSegment,
} from "../documents/segments.server.ts";
import type { StoredFile } from "../documents/file-store.ts";
import { env } from "../env.server.ts";
import { OperatorError } from "../start-error.ts";
import { openBackup } from "./places.server.ts";
import { type Frame, packed, unpacked } from "./frames.server.ts";

const KEY_BYTES = 32;
const HEAD = /^family-advocacy-backup 1 ([\w-]{1,40}) ([\w+/=]{40,120})\n/;
const LONGEST_HEAD = 256;

type Reader = ReturnType<StoredFile["reader"]>;

/**
 * A backup as it lies on a disk: one line with the name of the BACKUP_KEYS key and, wrapped by it, the key that only this
 * file has; then its frames in the sealed segments of the documents (AES-256-GCM, each with its tag and number).
 */
export async function* sealed(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  const lock = { key: randomBytes(KEY_BYTES), isPlain: false };
  const { fileKey, keyId } = keepLock(lock, requireKeys());
  yield Buffer.from(`family-advocacy-backup 1 ${keyId} ${fileKey}\n`);
  yield* inSegments(packed(frames), lock);
}

/** The frames of a backup, each proven. Throws StartError where it is none of ours, its key is missing or it is damaged. */
export async function* unsealed(name: string): AsyncGenerator<Frame> {
  const keys = requireKeys();
  const file = await openBackup(name);
  try {
    // One reader, from the beginning to the end: in a bucket that is one answer.
    const read = file.reader(0, file.size);
    const head = Buffer.alloc(Math.min(LONGEST_HEAD, file.size));
    await read(head);
    const [line = "", keyId = "", fileKey = ""] = HEAD.exec(head.toString("latin1")) ?? [];
    if (!line) throw new OperatorError("This is no backup of this product, or its first line is damaged.");
    const lock = open({ fileKey, keyId }, keys);
    yield* unpacked(opened(head.subarray(line.length), read, lock));
  } catch (error) {
    if (error instanceof BrokenFile)
      throw new OperatorError(`The backup is damaged or was cut short. ${error.message}`);
    throw error;
  } finally {
    await file.close();
  }
}

/** Cuts what comes into segments and seals each; every buffer is a new one. */
async function* inSegments(source: AsyncIterable<Buffer>, lock: Lock): AsyncGenerator<Buffer> {
  const ready = readied(lock);
  let index = 0;
  let segment = Buffer.alloc(SEALED_SEGMENT_BYTES);
  let filled = 0;
  for await (const part of source) {
    for (let from = 0; from < part.length;) {
      const taken = Math.min(part.length - from, SEGMENT_BYTES - filled);
      segment.set(part.subarray(from, from + taken), filled);
      filled += taken;
      from += taken;
      if (filled < SEGMENT_BYTES) continue;
      sealSegment(segment, index++, ready);
      yield segment;
      segment = Buffer.alloc(SEALED_SEGMENT_BYTES);
      filled = 0;
    }
  }
  if (filled === 0) return;
  const last = segment.subarray(0, sealedSize(filled));
  sealSegment(last, index, ready);
  yield last;
}

/** What the segments carry; `begun` are the first bytes, which were read already. */
async function* opened(begun: Buffer, read: Reader, lock: Lock): AsyncGenerator<Buffer> {
  const ready = readied(lock);
  let rest = begun;
  for (let index = 0; ; index++) {
    const segment = Buffer.alloc(SEALED_SEGMENT_BYTES);
    rest.copy(segment);
    const length = rest.length + (await read(segment.subarray(rest.length)));
    if (length === 0) return;
    rest = rest.subarray(rest.length);
    openSegment(segment.subarray(0, length), index, ready);
    yield bodyOf(segment.subarray(0, length));
  }
}

function readied({ key, isPlain }: Lock) {
  return { key: createSecretKey(key), isPlain };
}

function requireKeys() {
  if (env.backups.keys.length > 0) return env.backups.keys;
  throw new OperatorError(
    "BACKUP_KEYS is not set: backups are encrypted, and this is the key. See docs/operations.md.",
  );
}

function open(kept: KeptLock, keys: ReturnType<typeof requireKeys>): Lock {
  try {
    return findLock(kept, keys);
  } catch (error) {
    throw new OperatorError(`BACKUP_KEYS does not open this backup. ${(error as Error).message}`);
  }
}
