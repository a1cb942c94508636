import { networksOf } from "../http/client-ip.server.ts";
import { canonicalizeEmail } from "./mailbox.ts";

/**
 * The key of a limit for mail to the mailbox of `email` from the widest network of `requester` (`clientIp`), so that
 * one network can't use up the mails of another; of the mailbox alone for what no visitor brings about (null).
 */
export function mailboxKey(email: string, requester: string | null): string {
  const mailbox = canonicalizeEmail(email);
  return requester === null ? mailbox : `${networksOf(requester).at(-1)} ${mailbox}`;
}
