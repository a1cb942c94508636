import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { env } from "../env.server.ts";
import type { MasterKey } from "../env-schema.server.ts";
import { CorruptFileError, type DataKey } from "./chunk-encryption.server.ts";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DATA_KEY_BYTES = 32;

/** A data key as the document's record stores it; `keyId` is null if it is not wrapped. */
export type WrappedKey = { wrappedDataKey: string; keyId: string | null };

/** Creates the data key of a new file, and wraps it with the newest of FILE_KEYS, if there is one. */
export function createDataKey(): { dataKey: DataKey; wrappedKey: WrappedKey } {
  const dataKey = { key: randomBytes(DATA_KEY_BYTES), isPlaintext: env.files.keys.length === 0 };
  return { dataKey, wrappedKey: wrapDataKey(dataKey) };
}

/** Wraps a data key with the first of `keys`. */
export function wrapDataKey({ key, isPlaintext }: DataKey, keys: readonly MasterKey[] = env.files.keys): WrappedKey {
  const wrappingKey = keys[0];
  if (isPlaintext || !wrappingKey) return { wrappedDataKey: Buffer.from(key).toString("base64"), keyId: null };
  return { wrappedDataKey: encryptKey(key, wrappingKey).toString("base64"), keyId: wrappingKey.id };
}

/** Unwraps a data key. Throws CorruptFileError if the wrapping key is unknown or does not match. */
export function unwrapDataKey(
  { wrappedDataKey, keyId }: { wrappedDataKey: string | null; keyId: string | null },
  keys: readonly MasterKey[] = env.files.keys,
): DataKey {
  if (!wrappedDataKey) throw new CorruptFileError("The record has no key.");
  const keyBytes = Buffer.from(wrappedDataKey, "base64");
  if (keyId === null) return { key: keyBytes, isPlaintext: true };
  const wrappingKey = keys.find(({ id }) => id === keyId);
  if (!wrappingKey) throw new CorruptFileError(`There is no key named ${keyId}.`);
  return { key: decryptKey(keyBytes, wrappingKey), isPlaintext: false };
}

function encryptKey(key: Uint8Array, wrappingKey: MasterKey): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, wrappingKey.key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(wrappingKey.id));
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
}

function decryptKey(wrapped: Buffer, wrappingKey: MasterKey): Buffer {
  try {
    const decipher = createDecipheriv(CIPHER, wrappingKey.key, wrapped.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(wrappingKey.id));
    decipher.setAuthTag(wrapped.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new CorruptFileError(`The key named ${wrappingKey.id} is not the one that wrapped this file's.`);
  }
}
