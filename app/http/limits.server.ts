import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { env } from "../env.server.ts";
import { type Refusal, refused } from "./outcome.ts";

export type Limit = {
  /** Counts one more try for `key`; a refusal with the time to wait when that is one too many. */
  use(key: string): Promise<Refusal | null>;
  /** The same verdict without counting. */
  check(key: string): Promise<Refusal | null>;
  /** Forgets what was counted for `key`. */
  clear(key: string): Promise<void>;
};

/** At most `tries` per `seconds` for each key, counted in this process; lifted by RATE_LIMITS=off. */
export function limit(name: string, tries: number, seconds: number): Limit {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points: tries, duration: seconds });
  return {
    async use(key) {
      if (!env.rateLimits) return null;
      return limiter.consume(key).then(() => null, tooMany);
    },
    async check(key) {
      if (!env.rateLimits) return null;
      const state = await limiter.get(key);
      return state && state.consumedPoints >= tries ? tooMany(state) : null;
    },
    async clear(key) {
      await limiter.delete(key);
    },
  };
}

function tooMany(state: unknown): Refusal {
  if (!(state instanceof RateLimiterRes)) throw state;
  const retryAfterSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return { ...refused("tooMany", `Too many tries. Please wait ${wait} and try again.`), retryAfterSeconds };
}
