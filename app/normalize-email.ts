import { normalizeUnicode } from "./normalize-unicode.ts";

/** Normalizes an email address for storage and comparison: trimmed, NFKC, lower case. */
export function normalizeEmail(email: string): string {
  return normalizeUnicode(email.trim(), "NFKC").toLowerCase();
}
