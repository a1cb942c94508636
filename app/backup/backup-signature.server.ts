import { createHmac, timingSafeEqual } from "node:crypto";
import { env } from "../env.server.ts";
import { OperatorError } from "../operator-error.ts";

/**
 * Returns an HMAC with the newest of BACKUP_KEYS, for files stored next to the backups. Write access to that storage is
 * not enough to forge it.
 */
export function signWithBackupKey(text: string): string {
  const [newest] = env.backups.keys;
  if (!newest) throw new OperatorError("BACKUP_KEYS is not set.");
  return signatureOf(text, newest.key);
}

/** Returns whether any of BACKUP_KEYS created this signature of `text`. */
export function isValidBackupSignature(text: string, signature: string): boolean {
  return env.backups.keys.some(({ key }) => isEqual(signature, signatureOf(text, key)));
}

function signatureOf(text: string, key: Buffer): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
