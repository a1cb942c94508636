import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { env } from "../env.server.ts";
import type { FileKey } from "../env-variables.server.ts";
import { BrokenFile, type Lock } from "./segments.server.ts";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** How a lock is written into the document's record. */
export type KeptLock = { fileKey: string; keyId: string | null };

/** A new file's lock, and how it is kept: wrapped by the newest envelope key, if there is one. */
export function makeLock(): { lock: Lock; kept: KeptLock } {
  const lock = { key: randomBytes(KEY_BYTES), isPlain: env.files.keys.length === 0 };
  return { lock, kept: keepLock(lock) };
}

/** The same key, wrapped by the newest of the envelope keys. */
export function keepLock({ key, isPlain }: Lock, keys: readonly FileKey[] = env.files.keys): KeptLock {
  const envelope = keys[0];
  if (isPlain || !envelope) return { fileKey: Buffer.from(key).toString("base64"), keyId: null };
  return { fileKey: wrap(key, envelope).toString("base64"), keyId: envelope.id };
}

/** Throws BrokenFile where the envelope key is not among the known ones or does not fit. */
export function findLock(
  { fileKey, keyId }: { fileKey: string | null; keyId: string | null },
  keys: readonly FileKey[] = env.files.keys,
): Lock {
  if (!fileKey) throw new BrokenFile("The record has no key.");
  const bytes = Buffer.from(fileKey, "base64");
  if (keyId === null) return { key: bytes, isPlain: true };
  const envelope = keys.find(({ id }) => id === keyId);
  if (!envelope) throw new BrokenFile(`There is no key named ${keyId}.`);
  return { key: unwrap(bytes, envelope), isPlain: false };
}

function wrap(key: Uint8Array, envelope: FileKey): Buffer {
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
