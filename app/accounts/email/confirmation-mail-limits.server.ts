import { DAY_SECONDS, HOUR_SECONDS } from "../../time-units.ts";
import type { Refusal } from "../../http/outcome.ts";
import { createRateLimiter } from "../../http/rate-limit.server.ts";

const hourlyLimiter = createRateLimiter("confirmation-mail", 3, HOUR_SECONDS);
const dailyLimiter = createRateLimiter("confirmation-mail-day", 6, DAY_SECONDS);
/**
 * Counted separately from confirmations, which can be requested without the password and therefore with a copied
 * session.
 */
const hourlyEmailChangeLimiter = createRateLimiter("email-change", 3, HOUR_SECONDS);
const dailyEmailChangeLimiter = createRateLimiter("email-change-day", 6, DAY_SECONDS);

/** Counts a message that confirms an account's own address. Refusal: tooMany, after 3 an hour or 6 a day. */
export async function consumeConfirmationMailLimits(userId: number): Promise<Refusal | null> {
  return (await hourlyLimiter.consume(String(userId))) ?? dailyLimiter.consume(String(userId));
}

/**
 * Counts a message that confirms a new address. `key` is an account's id or a `mailboxLimitKey`. Refusal: tooMany, after 3
 * an hour or 6 a day.
 */
export async function consumeEmailChangeLimits(key: string): Promise<Refusal | null> {
  return (await hourlyEmailChangeLimiter.consume(key)) ?? dailyEmailChangeLimiter.consume(key);
}
