import { env } from "../env.server.ts";
import { AttemptCounter } from "./attempt-counter.server.ts";
import { networksOf } from "./client-ip.server.ts";
import { type Refusal, refused } from "./outcome.ts";

export type RateLimit = {
  /** Counts an attempt for `key`. Refusal: tooMany, with the time to wait. */
  consume(key: string): Promise<Refusal | null>;
  /** Like `consume`, without counting. */
  peek(key: string): Promise<Refusal | null>;
};

/** The limits of a /64, a /56 and a /48, as multiples of the limit of one address. */
const NETWORK_FACTORS = [1, 3, 10];

/** The counters of all limits, by name: no two limits may share one. */
export const attemptCounters = new Map<string, AttemptCounter>();

/**
 * Allows `max` attempts per `windowSeconds` for each key. Counts in the memory of this process, with an upper bound
 * (`AttemptCounter`); RATE_LIMITS=off disables it.
 */
export function rateLimit(name: string, max: number, windowSeconds: number): RateLimit {
  if (attemptCounters.has(name)) throw new Error(`Two limits are named ${name}.`);
  const counter = new AttemptCounter(name, max, windowSeconds);
  attemptCounters.set(name, counter);
  const refusalAfter = (waitMs: number | null) => (waitMs === null ? null : rateLimitExceeded(waitMs));
  return {
    consume: async (key) => (env.rateLimits ? refusalAfter(counter.add(key)) : null),
    peek: async (key) => (env.rateLimits ? refusalAfter(counter.peek(key)) : null),
  };
}

/**
 * Allows `max` attempts per `windowSeconds` for each address from `clientIp`, three times as many for an IPv6 /56 and
 * ten times as many for a /48, so that a whole network can't be used to get around the limit.
 */
export function networkLimit(name: string, max: number, windowSeconds: number): RateLimit {
  const limits = NETWORK_FACTORS.map((factor, level) => rateLimit(`${name}-${level}`, max * factor, windowSeconds));
  const limitsFor = (ip: string) => networksOf(ip).map((key, level) => [limits[level]!, key] as const);
  return {
    consume: (ip) => consumeWidestFirst(limitsFor(ip)),
    peek: (ip) => peekAll(limitsFor(ip)),
  };
}

export type KeyedLimits = readonly (readonly [RateLimit, string])[];

/** Stops at the first refusal: once a network is refused, its parts, which may be 65,536, take no memory. */
async function consumeWidestFirst(limits: KeyedLimits): Promise<Refusal | null> {
  for (const [limit, key] of limits.toReversed()) {
    const refusal = await limit.consume(key);
    if (refusal) return refusal;
  }
  return null;
}

/** Counts an attempt in each of the limits, including those after a refusal. Returns the first refusal, else null. */
export async function consumeAll(limits: KeyedLimits): Promise<Refusal | null> {
  const refusals = await Promise.all(limits.map(([each, key]) => each.consume(key)));
  return refusals.find((refusal) => refusal !== null) ?? null;
}

/** Like `consumeAll`, without counting. */
export async function peekAll(limits: KeyedLimits): Promise<Refusal | null> {
  const refusals = await Promise.all(limits.map(([each, key]) => each.peek(key)));
  return refusals.find((refusal) => refusal !== null) ?? null;
}

function rateLimitExceeded(waitMs: number): Refusal {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return { ...refused("tooMany", `Too many tries. Please wait ${wait} and try again.`), retryAfterSeconds };
}
