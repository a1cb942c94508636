import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { env } from "../env.server.ts";
import type { MasterKey } from "../env-schema.server.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/**
 * Prefix of encrypted values. A stored value is `sealed:1:KEY-NAME:` followed by nonce, ciphertext and tag in
 * base64url.
 */
export const ENCRYPTED_PREFIX = "sealed:1:";
const ENCRYPTED_VALUE_PATTERN = /^sealed:1:([\w-]{1,40}):([\w-]+)$/;

/** Shown instead of a text that can't be decrypted: its key is missing, or the value was altered. */
export const UNREADABLE_SENTENCE = "This text can’t be opened at the moment. Please call us.";

/**
 * Marks unreadable texts. It is invisible, and random for each process, so that no text that a person writes can be
 * mistaken for an unreadable one.
 */
const UNREADABLE_MARKER = Array.from(randomBytes(24), (byte) => String.fromCharCode(0x2061 + (byte & 3))).join("");

/** The sentence that readers get, with the marker that `isUnreadable` checks. */
export const UNREADABLE_PLACEHOLDER = UNREADABLE_SENTENCE + UNREADABLE_MARKER;

type FieldEncryptionKey = { id: string; key: KeyObject };

/**
 * The keys for texts, newest first. They are derived from FILE_KEYS by HKDF, so that no key is used for both files and
 * texts. Without FILE_KEYS the list is empty and texts are stored unencrypted.
 */
const textKeys: readonly FieldEncryptionKey[] = env.files.keys.map(({ id, key }) => ({
  id,
  key: createSecretKey(Buffer.from(hkdfSync("sha256", key, "", "family-advocacy text columns", KEY_BYTES))),
}));

const unreadableColumns = new Set<string>();
let notifyUnreadableColumn: (column: string) => void = () => {};

/** Returns the text keys in base64, for a backup. They decrypt no file. */
export function exportFieldEncryptionKeys(): { id: string; key: string }[] {
  return textKeys.map(({ id, key }) => ({ id, key: key.export().toString("base64") }));
}

/** Returns the prefix of values that are encrypted with the newest key; null without any key. */
export function newestKeyPrefix(): string | null {
  return textKeys[0] ? `${ENCRYPTED_PREFIX}${textKeys[0].id}:` : null;
}

export function isEncrypted(stored: string): boolean {
  return stored.startsWith(ENCRYPTED_PREFIX);
}

/** Checks whether a text read from the database, or a text inside its JSON, could not be decrypted. */
export function isUnreadable(text: string | null): boolean {
  return text?.includes(UNREADABLE_MARKER) ?? false;
}

/**
 * Encrypts a text with the newest key. `column` ("table.column") is authenticated, so the value can't be decrypted in
 * another column. Returns the text itself if there is no key.
 */
export function encryptText(text: string, column: string): string {
  const [newest] = textKeys;
  if (!newest) return text;
  const prefix = `${ENCRYPTED_PREFIX}${newest.id}:`;
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, newest.key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(prefix + column));
  const encrypted = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return prefix + encrypted.toString("base64url");
}

/**
 * Decrypts a stored value with this process's keys or with `otherKeys`. Returns a plain value unchanged, and null if no
 * key decrypts the value.
 */
export function tryDecryptText(stored: string, column: string, otherKeys: readonly MasterKey[] = []): string | null {
  if (!isEncrypted(stored)) return stored;
  const [, id = "", encoded = ""] = ENCRYPTED_VALUE_PATTERN.exec(stored) ?? [];
  const bytes = Buffer.from(encoded, "base64url");
  const aad = Buffer.from(`${ENCRYPTED_PREFIX}${id}:${column}`);
  for (const each of [...textKeys, ...otherKeys]) {
    if (each.id !== id || bytes.length < NONCE_BYTES + TAG_BYTES) continue;
    try {
      const decipher = createDecipheriv(CIPHER, each.key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(aad).setAuthTag(bytes.subarray(-TAG_BYTES));
      const plaintext = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([plaintext, decipher.final()]).toString("utf8");
    } catch {
      // Two machines may have given the same name to different keys, so the next key is tried.
    }
  }
  return null;
}

/** Decrypts a stored value. If that fails, returns `fallback` and reports the column once per process. */
export function decryptText(stored: string, column: string, fallback = UNREADABLE_PLACEHOLDER): string {
  const text = tryDecryptText(stored, column);
  if (text !== null) return text;
  if (!unreadableColumns.has(column)) notifyUnreadableColumn(column);
  unreadableColumns.add(column);
  return fallback;
}

/**
 * Returns the signature of a text of the application: `KEY-NAME:` and an HMAC under a key derived from the newest text
 * key; "" without a key.
 */
export function createTextHmac(text: string): string {
  const [newest] = textKeys;
  return newest ? `${newest.id}:${hmacOf(text, newest.key)}` : "";
}

/** Checks that `createTextHmac` created the signature, with one of this process's keys or of `otherKeys`. */
export function verifyTextHmac(text: string, signature: string, otherKeys: readonly MasterKey[] = []): boolean {
  const keys = [...textKeys, ...otherKeys];
  if (keys.length === 0) return signature === "";
  return keys.some(({ id, key }) => {
    const [expected, actual] = [Buffer.from(`${id}:${hmacOf(text, key)}`), Buffer.from(signature)];
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  });
}

function hmacOf(text: string, key: KeyObject | Buffer): string {
  const bytes = Buffer.isBuffer(key) ? key : key.export();
  const signingKey = Buffer.from(hkdfSync("sha256", bytes, "", "family-advocacy signatures", KEY_BYTES));
  return createHmac("sha256", signingKey).update(text).digest("base64url");
}

/**
 * Registers `listener`, which is called the first time that a value of a column ("table.column") can't be decrypted.
 */
export function onUnreadableColumn(listener: (column: string) => void): void {
  notifyUnreadableColumn = listener;
}

/** Returns warnings about encrypted texts for the administrator's dashboard. */
export async function fieldEncryptionWarnings(): Promise<string[]> {
  const columns = [...unreadableColumns].toSorted().join(", ");
  const unreadable = `Some texts can’t be opened (${columns}): their key is missing from FILE_KEYS, or they were altered. Ask the person who installed this site.`;
  const keyLocationWarning =
    "What families write is encrypted with a key that lies beside it: the person who installed this site has not set FILE_KEYS yet.";
  return [
    ...(env.isPublic && !env.files.hasConfiguredKeys ? [keyLocationWarning] : []),
    ...(columns ? [unreadable] : []),
  ];
}
