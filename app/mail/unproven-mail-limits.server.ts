import { DAY_SECONDS, HOUR_SECONDS } from "../duration.ts";
import type { Refusal } from "../http/outcome.ts";
import { type NetworkLimit, networkLimit, rateLimit } from "../http/rate-limit.server.ts";
import type { MailEvent } from "./events.ts";
import { requesterIp } from "./requester.server.ts";
import { domainOf, mailboxOf } from "./mailbox.ts";
import { mailboxKey } from "./mailbox-key.server.ts";

const mailsOfNetwork = [
  networkLimit("unproven-mail", 20, HOUR_SECONDS),
  networkLimit("unproven-mail-day", 60, DAY_SECONDS),
];
/** Apart from other mail: a neighbor who brings about much of that does not keep a new family from confirming its address. */
const confirmationsOfNetwork = [
  networkLimit("unproven-confirmation", 20, HOUR_SECONDS),
  networkLimit("unproven-confirmation-day", 60, DAY_SECONDS),
];
/** Those of an event; none for new accounts, of which a network makes only so many (`register`). */
const LIMITS_OF_NETWORK: Partial<Record<MailEvent, NetworkLimit[]>> = {
  "account-made": [],
  "confirm-email": confirmationsOfNetwork,
};
/** By `mailboxKey`. */
const dailyMailsToMailbox = rateLimit("unproven-mailbox", 15, DAY_SECONDS);
const dailyMailsToMailboxOfAll = rateLimit("unproven-mailbox-all", 45, DAY_SECONDS);
/** Half as many again as one network brings about: no single one uses up a domain's. */
const dailyMailsToDomain = rateLimit("unproven-domain", 90, DAY_SECONDS);

/**
 * Counts a mail to an address that nobody has proven to be the recipient's: a stranger may have typed it. False when the
 * network of the request in progress has brought about so many of them, or its mailbox or domain got so many, that the
 * mail is not sent. What no visitor's request brings about is not counted: reminders, payments, the consultant's own acts.
 */
export async function consumeUnprovenMailLimits(email: string, event: MailEvent): Promise<boolean> {
  const requester = requesterIp();
  if (requester === null) return true;
  const [mailbox, domain] = [mailboxOf(email), domainOf(email)];
  const refusal =
    (await dailyMailsToMailboxOfAll.peek(mailbox)) ??
    (domain === null ? null : await dailyMailsToDomain.peek(domain)) ??
    (await dailyMailsToMailbox.consume(mailboxKey(email, requester))) ??
    (await consumeFirstRefused(LIMITS_OF_NETWORK[event] ?? mailsOfNetwork, requester)) ??
    (await dailyMailsToMailboxOfAll.consume(mailbox)) ??
    (domain === null ? null : await dailyMailsToDomain.consume(domain));
  return refusal === null;
}

/** Counts in one limit after the other, up to the first that refuses. */
async function consumeFirstRefused(limits: NetworkLimit[], ip: string): Promise<Refusal | null> {
  for (const limit of limits) {
    const refusal = await limit.consume(ip);
    if (refusal) return refusal;
  }
  return null;
}
