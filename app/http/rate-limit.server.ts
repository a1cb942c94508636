import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { env } from "../env.server.ts";
import { networksOf } from "./client-ip.server.ts";
import { type Refusal, refused } from "./outcome.ts";

export type RateLimit = {
  /** Counts one more try for `key`; a refusal with the time to wait when that is one too many. */
  consume(key: string): Promise<Refusal | null>;
  /** The same verdict without counting. */
  peek(key: string): Promise<Refusal | null>;
};

/** How many times the tries of one address all addresses of its /56 and of its /48 may make together. */
const NETWORK_FACTORS = [1, 3, 10];

/** At most `tries` per `seconds` for each key, counted in this process; lifted by RATE_LIMITS=off. */
export function rateLimit(keyPrefix: string, max: number, windowSeconds: number): RateLimit {
  const limiter = new RateLimiterMemory({ keyPrefix: keyPrefix, points: max, duration: windowSeconds });
  return {
    async consume(key) {
      if (!env.rateLimits) return null;
      return limiter.consume(key).then(() => null, rateLimitExceeded);
    },
    async peek(key) {
      if (!env.rateLimits) return null;
      const state = await limiter.get(key);
      return state && state.consumedPoints >= max ? rateLimitExceeded(state) : null;
    },
  };
}

/**
 * At most `tries` per `seconds` for each visitor's address (see `clientAddress`), and of IPv6 three times as many for
 * its /56 and ten times as many for its /48: whoever has a whole network has no more tries than a street.
 */
export function networkLimit(name: string, tries: number, seconds: number): RateLimit {
  const limits = NETWORK_FACTORS.map((factor, level) => rateLimit(`${name}-${level}`, tries * factor, seconds));
  const allOf = (address: string) => networksOf(address).map((key, level) => [limits[level]!, key] as const);
  return {
    consume: (address) => useAll(allOf(address)),
    peek: (address) => checkAll(allOf(address)),
  };
}

type Counted = readonly (readonly [RateLimit, string])[];

/** Counts one more try in each of these limits, also where one refuses it; the first refusal, if any. */
export async function useAll(limits: Counted): Promise<Refusal | null> {
  const refusals = await Promise.all(limits.map(([each, key]) => each.consume(key)));
  return refusals.find((refusal) => refusal !== null) ?? null;
}

/** The same verdict without counting. */
export async function checkAll(limits: Counted): Promise<Refusal | null> {
  const refusals = await Promise.all(limits.map(([each, key]) => each.peek(key)));
  return refusals.find((refusal) => refusal !== null) ?? null;
}

function rateLimitExceeded(state: unknown): Refusal {
  if (!(state instanceof RateLimiterRes)) throw state;
  const retryAfterSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return { ...refused("tooMany", `Too many tries. Please wait ${wait} and try again.`), retryAfterSeconds };
}
