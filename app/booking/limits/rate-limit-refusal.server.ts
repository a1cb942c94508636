import { now } from "../../clock.ts";
import { SECOND_MS } from "../../time-units.ts";
import { type Refusal, refused } from "../../http/outcome.ts";

/** Returns a refusal (tooMany) with the time to wait until `end` (UTC), at least one second. */
export function rateLimitRefusal(end: Date, message: string): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil((end.getTime() - now().getTime()) / SECOND_MS));
  return { ...refused("tooMany", message), retryAfterSeconds };
}
