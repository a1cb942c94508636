import { normalizeText } from "../../normalize-text.ts";

export const MIN_PASSWORD_LENGTH = 6;
/** bcrypt reads no further; two longer passwords with one beginning would open the same account. */
export const MAX_PASSWORD_BYTES = 72;

export const PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters. A few words you will remember are best.`;

/** One password, however a device composes its accents (NFC). Spaces and capitals stay as typed. */
export function normalPassword(password: string): string {
  return normalizeText(password, "NFC");
}

/** Whether a hash would hold all of it. */
export function fitsHash(password: string): boolean {
  return password.length <= MAX_PASSWORD_BYTES && new TextEncoder().encode(password).length <= MAX_PASSWORD_BYTES;
}
