import { normalizeUnicode } from "./normalize-unicode.ts";

/** Normalizes an email address as it is stored and compared: NFKC, lower case. */
export function normalizeEmail(email: string): string {
  return normalizeUnicode(email.trim(), "NFKC").toLowerCase();
}
