import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";
import { env } from "../env.server.ts";
import type { FileKey } from "../env-schema.server.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MARK = "sealed:1:";
const SEALED = /^sealed:1:([\w-]{1,40}):([\w-]+)$/;

/** Stands where a stored text can't be opened: its key is not among ours, or it was altered. */
export const UNREADABLE = "This text can’t be opened at the moment. Please call us.";

type TextKey = { id: string; key: KeyObject };

/** Derived from FILE_KEYS, newest first, so that one key is never used for files and for texts. None: texts stay plain. */
const textKeys: readonly TextKey[] = env.files.keys.map(({ id, key }) => ({
  id,
  key: createSecretKey(Buffer.from(hkdfSync("sha256", key, "", "family-advocacy text columns", KEY_BYTES))),
}));

const unreadable = new Set<string>();
let tell: (place: string) => void = () => {};

/** The keys of texts as a backup carries them; they open no file. */
export function exportTextKeys(): { id: string; key: string }[] {
  return textKeys.map(({ id, key }) => ({ id, key: key.export().toString("base64") }));
}

/** What a stored text that is sealed with the newest key begins with; null without any key. */
export function newestMark(): string | null {
  return textKeys[0] ? `${MARK}${textKeys[0].id}:` : null;
}

export function isSealed(stored: string): boolean {
  return stored.startsWith(MARK);
}

/** Whether a text that was read, or one inside its JSON, could not be opened. */
export function isUnreadable(text: string | null): boolean {
  return text?.includes(UNREADABLE) ?? false;
}

/** Seals a text with the newest key for one place ("table.column"); elsewhere it does not open. Plain without a key. */
export function sealText(text: string, place: string): string {
  const [newest] = textKeys;
  if (!newest) return text;
  const head = `${MARK}${newest.id}:`;
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, newest.key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(head + place));
  const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return head + sealed.toString("base64url");
}

/** The text of a stored value, which may be plain; null where it can't be opened, with ours or with `others`. */
export function tryOpenText(stored: string, place: string, others: readonly FileKey[] = []): string | null {
  if (!isSealed(stored)) return stored;
  const [, id = "", encoded = ""] = SEALED.exec(stored) ?? [];
  const bytes = Buffer.from(encoded, "base64url");
  const aad = Buffer.from(`${MARK}${id}:${place}`);
  for (const each of [...textKeys, ...others]) {
    if (each.id !== id || bytes.length < NONCE_BYTES + TAG_BYTES) continue;
    try {
      const decipher = createDecipheriv(CIPHER, each.key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(aad).setAuthTag(bytes.subarray(-TAG_BYTES));
      const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([opened, decipher.final()]).toString("utf8");
    } catch {
      // Two machines can have given the same name to different keys: the next may fit.
    }
  }
  return null;
}

/** The text of a stored value; `instead` where it can't be opened, which is reported once for each place. */
export function openText(stored: string, place: string, instead = UNREADABLE): string {
  const text = tryOpenText(stored, place);
  if (text !== null) return text;
  if (!unreadable.has(place)) tell(place);
  unreadable.add(place);
  return instead;
}

/** Calls `listener` the first time that a value of a place ("table.column") can't be opened. */
export function onUnreadable(listener: (place: string) => void): void {
  tell = listener;
}

/** What the consultant should know of sealed texts (http/attention.server.ts). */
export async function sealingTroubles(): Promise<string[]> {
  const places = [...unreadable].toSorted().join(", ");
  const closed = `Some texts can’t be opened (${places}): their key is missing from FILE_KEYS, or they were altered. Ask whoever runs this site.`;
  const beside =
    "What families write is encrypted with a key that lies beside it: whoever runs this site has not set FILE_KEYS yet.";
  return [...(env.isPublic && !env.files.hasGivenKeys ? [beside] : []), ...(places ? [closed] : [])];
}
