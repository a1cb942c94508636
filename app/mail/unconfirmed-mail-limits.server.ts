import { DAY_SECONDS, HOUR_SECONDS } from "../time-units.ts";
import type { Refusal } from "../http/outcome.ts";
import { type NetworkLimiter, createNetworkLimiter, createRateLimiter } from "../http/rate-limit.server.ts";
import type { MailEvent } from "./mail-events.ts";
import { currentMailRequesterIp } from "./mail-requester-ip.server.ts";
import { toRateLimitedDomain, toRateLimitedMailbox } from "./rate-limited-mailbox.ts";
import { mailboxLimitKey } from "./mailbox-limit-key.server.ts";

const networkMailLimits = [
  createNetworkLimiter("unconfirmed-mail", 20, HOUR_SECONDS),
  createNetworkLimiter("unconfirmed-mail-day", 60, DAY_SECONDS),
];
/**
 * Counted separately, so that other mail from the same network does not prevent a new family from confirming its
 * address.
 */
const networkConfirmationLimits = [
  createNetworkLimiter("unconfirmed-confirmation", 20, HOUR_SECONDS),
  createNetworkLimiter("unconfirmed-confirmation-day", 60, DAY_SECONDS),
];
/** Network limits by event. New accounts have none here, because their number is limited per network (`register`). */
const NETWORK_LIMITS_BY_EVENT: Partial<Record<MailEvent, NetworkLimiter[]>> = {
  "account-made": [],
  "confirm-email": networkConfirmationLimits,
};
/** Keyed by `mailboxLimitKey`. */
const dailyMailboxLimiter = createRateLimiter("unconfirmed-mailbox", 15, DAY_SECONDS);
const dailyTotalMailboxLimiter = createRateLimiter("unconfirmed-mailbox-all", 45, DAY_SECONDS);
/** 1.5 times the daily limit of one network, so that a single network can't exhaust a domain's limit. */
const dailyDomainLimiter = createRateLimiter("unconfirmed-domain", 90, DAY_SECONDS);

/** Sent by a job, but caused by a family: whoever waits for a day and declines what is offered is offered the next time. */
const JOB_TRIGGERED_EVENTS: readonly MailEvent[] = ["waiting-list-offer"];

/**
 * Counts a message to an unconfirmed address. Returns false when the limit of the requesting network, the mailbox or
 * the domain is exceeded; the message must then not be sent. Messages that no family or visitor causes (reminders,
 * payments, actions of the consultant) are not counted.
 */
export async function consumeUnconfirmedMailLimits(email: string, event: MailEvent): Promise<boolean> {
  const requesterIp = currentMailRequesterIp();
  if (requesterIp === null && !JOB_TRIGGERED_EVENTS.includes(event)) return true;
  const [mailbox, domain] = [toRateLimitedMailbox(email), toRateLimitedDomain(email)];
  const refusal =
    (await dailyTotalMailboxLimiter.peek(mailbox)) ??
    (domain === null ? null : await dailyDomainLimiter.peek(domain)) ??
    (requesterIp === null ? null : await consumeRequesterLimits(email, event, requesterIp)) ??
    (await dailyTotalMailboxLimiter.consume(mailbox)) ??
    (domain === null ? null : await dailyDomainLimiter.consume(domain));
  return refusal === null;
}

async function consumeRequesterLimits(email: string, event: MailEvent, requesterIp: string): Promise<Refusal | null> {
  return (
    (await dailyMailboxLimiter.consume(mailboxLimitKey(email, requesterIp))) ??
    (await consumeUntilRefused(NETWORK_LIMITS_BY_EVENT[event] ?? networkMailLimits, requesterIp))
  );
}

/** Counts in one limit after the other and stops at the first refusal, which it returns. */
async function consumeUntilRefused(limits: NetworkLimiter[], ip: string): Promise<Refusal | null> {
  for (const limit of limits) {
    const refusal = await limit.consume(ip);
    if (refusal) return refusal;
  }
  return null;
}
