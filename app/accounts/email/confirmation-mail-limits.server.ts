import { DAY_SECONDS, HOUR_SECONDS } from "../../duration.ts";
import { accepted, type Outcome } from "../../http/outcome.ts";
import { rateLimit } from "../../http/rate-limit.server.ts";

const hourly = rateLimit("confirmation-mail", 3, HOUR_SECONDS);
const daily = rateLimit("confirmation-mail-day", 6, DAY_SECONDS);

/**
 * Counts a mail with a confirmation link, for an account's id or a `mailboxKey`. Refusal: tooMany, after 3 an hour or 6 a
 * day.
 */
export async function consumeConfirmationMailLimits(key: string): Promise<Outcome<null>> {
  return (await hourly.consume(key)) ?? (await daily.consume(key)) ?? accepted(null);
}
