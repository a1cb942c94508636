import { normalizeText } from "./normalize-text.ts";

/** Normalizes an email address as it is stored and compared: NFKC, lower case. */
export function normalizeEmail(email: string): string {
  return normalizeText(email.trim(), "NFKC").toLowerCase();
}
