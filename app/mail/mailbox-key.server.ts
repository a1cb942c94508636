import { networksOf } from "../http/client-ip.server.ts";
import { canonicalizeEmail } from "./canonicalize-email.ts";

/**
 * Returns the key of a limit for mail to the mailbox of `email` that is triggered from the widest network of
 * `requesterIp` (`clientIp`). One network therefore can't use up the limit of another. Returns the mailbox alone if no
 * visitor triggers the mail (null).
 */
export function mailboxKey(email: string, requesterIp: string | null): string {
  const mailbox = canonicalizeEmail(email);
  return requesterIp === null ? mailbox : `${networksOf(requesterIp).at(-1)} ${mailbox}`;
}
