import { normalizeUnicode } from "../../normalize-unicode.ts";

export const MIN_PASSWORD_LENGTH = 6;
/** Minimum length for the administrator, who can open every family's records. */
export const MIN_ADMIN_PASSWORD_LENGTH = 12;
/** Maximum length. bcrypt ignores further bytes: two longer passwords with the same beginning would be equal. */
export const MAX_PASSWORD_BYTES = 72;

export function minPasswordLength(isAdmin = false): number {
  return isAdmin ? MIN_ADMIN_PASSWORD_LENGTH : MIN_PASSWORD_LENGTH;
}

/** Returns the hint of a new password's field. */
export function getPasswordRequirementText(isAdmin = false): string {
  return `At least ${minPasswordLength(isAdmin)} characters. A few words you will remember are best.`;
}

export const PASSWORDS_DIFFER_MESSAGE = "Passwords don't match";

/** Returns the password in NFC, because devices compose accents differently. Spaces and letter case are kept. */
export function normalizePassword(password: string): string {
  return normalizeUnicode(password, "NFC");
}

/** Checks whether bcrypt reads the whole password. */
export function isWithinBcryptLimit(password: string): boolean {
  return password.length <= MAX_PASSWORD_BYTES && new TextEncoder().encode(password).length <= MAX_PASSWORD_BYTES;
}

/** Shown when a new password could not be stored. */
export const PASSWORD_CHANGE_FAILED_MESSAGE = "Failed to change password. Please try again.";
