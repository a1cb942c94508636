import { normalizeText } from "./normalize-text.ts";

/** The one form in which e-mail addresses are stored and compared. */
export function normalizeEmail(email: string): string {
  return normalizeText(email.trim(), "NFKC").toLowerCase();
}
