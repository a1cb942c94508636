import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { env } from "../env.server.ts";
import { networksOf } from "./address.server.ts";
import { type Refusal, refused } from "./outcome.ts";

export type Limit = {
  /** Counts one more try for `key`; a refusal with the time to wait when that is one too many. */
  use(key: string): Promise<Refusal | null>;
  /** The same verdict without counting. */
  check(key: string): Promise<Refusal | null>;
};

/** How many times the tries of one address all addresses of its /56 and of its /48 may make together. */
const NETWORK_FACTORS = [1, 3, 10];

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
  };
}

/**
 * At most `tries` per `seconds` for each visitor's address (see `clientAddress`), and of IPv6 three times as many for
 * its /56 and ten times as many for its /48: whoever has a whole network has no more tries than a street.
 */
export function networkLimit(name: string, tries: number, seconds: number): Limit {
  const limits = NETWORK_FACTORS.map((factor, level) => limit(`${name}-${level}`, tries * factor, seconds));
  const allOf = (address: string) => networksOf(address).map((key, level) => [limits[level]!, key] as const);
  return {
    use: (address) => useAll(allOf(address)),
    check: (address) => checkAll(allOf(address)),
  };
}

type Counted = readonly (readonly [Limit, string])[];

/** Counts one more try in each of these limits, also where one refuses it; the first refusal, if any. */
export async function useAll(limits: Counted): Promise<Refusal | null> {
  const refusals = await Promise.all(limits.map(([each, key]) => each.use(key)));
  return refusals.find((refusal) => refusal !== null) ?? null;
}

/** The same verdict without counting. */
export async function checkAll(limits: Counted): Promise<Refusal | null> {
  const refusals = await Promise.all(limits.map(([each, key]) => each.check(key)));
  return refusals.find((refusal) => refusal !== null) ?? null;
}

function tooMany(state: unknown): Refusal {
  if (!(state instanceof RateLimiterRes)) throw state;
  const retryAfterSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return { ...refused("tooMany", `Too many tries. Please wait ${wait} and try again.`), retryAfterSeconds };
}
