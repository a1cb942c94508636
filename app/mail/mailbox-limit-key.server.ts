import { networksOf } from "../http/client-ip.server.ts";
import { toRateLimitedMailbox } from "./rate-limited-mailbox.ts";

/**
 * Returns the key of a limit for mail to the mailbox of `email` that is triggered from the widest network of
 * `requesterIp` (`clientIp`). One network therefore can't use up the limit of another. Returns the mailbox alone if no
 * visitor triggers the mail (null).
 */
export function mailboxLimitKey(email: string, requesterIp: string | null): string {
  const mailbox = toRateLimitedMailbox(email);
  return requesterIp === null ? mailbox : `${networksOf(requesterIp).at(-1)} ${mailbox}`;
}
