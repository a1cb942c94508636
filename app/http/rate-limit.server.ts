import { db } from "../db/client.server.ts";
import { env } from "../env.server.ts";
import { AttemptCounter } from "./attempt-counter.server.ts";
import { networksOf } from "./client-ip.server.ts";
import { logError } from "./errors.server.ts";
import { keyedHash } from "./network-hash.server.ts";
import { type Refusal, refused } from "./outcome.ts";

export type RateLimit = {
  /** Counts an attempt for `key`. Refusal: tooMany, with the time to wait. */
  consume(key: string): Promise<Refusal | null>;
  /** Like `consume`, without counting. */
  peek(key: string): Promise<Refusal | null>;
};

/** `of` counts within each network apart, such as for an account: without it for all. */
export type NetworkLimit = {
  consume(ip: string, of?: string): Promise<Refusal | null>;
  peek(ip: string, of?: string): Promise<Refusal | null>;
};

/** The limits of a /64, a /56 and a /48, as multiples of the limit of one address. */
const NETWORK_FACTORS = [1, 3, 10];

/**
 * Where attempts are counted. `site`: on PostgreSQL in the database, for all processes together. `process`: in memory, for
 * limits that protect the process itself and must cost no query. On SQLite, with its one process, both are in memory.
 */
export type LimitScope = "site" | "process";

type Counter = {
  add(key: string): number | null | Promise<number | null>;
  peek(key: string): number | null | Promise<number | null>;
};

/** The counters in memory of all limits, by name: no two limits may share one. */
export const attemptCounters = new Map<string, AttemptCounter>();

/**
 * Allows `max` attempts per `windowSeconds` for each key, counted in `scope`. In memory the keys have an upper bound
 * (`AttemptCounter`). While PostgreSQL does not answer, each process counts its own. RATE_LIMITS=off disables it.
 */
export function rateLimit(name: string, max: number, windowSeconds: number, scope: LimitScope = "site"): RateLimit {
  if (attemptCounters.has(name)) throw new Error(`Two limits are named ${name}.`);
  const inMemory = new AttemptCounter(name, max, windowSeconds);
  attemptCounters.set(name, inMemory);
  const isShared = scope === "site" && !env.databaseUrl.startsWith("file:");
  let shared: Promise<Counter> | undefined;
  const refusalOf = async (count: (counter: Counter) => ReturnType<Counter["add"]>) => {
    if (!env.rateLimits) return null;
    const waitMs = isShared
      ? await openSharedCounter()
          .then(count)
          .catch((error: unknown) => {
            logError(error, `rate limit ${name}`);
            return count(inMemory);
          })
      : await count(inMemory);
    return waitMs === null ? null : rateLimitExceeded(waitMs);
  };
  const openSharedCounter = () => (shared ??= createSharedCounter(name, max, windowSeconds));
  return {
    consume: (key) => refusalOf((counter) => counter.add(key)),
    peek: (key) => refusalOf((counter) => counter.peek(key)),
  };
}

/** Its keys are keyed hashes, so that the table contains no personal data. Imports the driver of PostgreSQL only where it is used. */
async function createSharedCounter(name: string, max: number, windowSeconds: number): Promise<Counter> {
  const { SharedAttemptCounter } = await import("../db/shared-attempt-counter.server.ts");
  const counter = new SharedAttemptCounter(name, max, windowSeconds);
  const hash = (key: string) => keyedHash(`rate limit ${name}`, key);
  return { add: (key) => counter.add(hash(key)), peek: (key) => counter.peek(hash(key)) };
}

/** Deletes the attempts counted in PostgreSQL: every limit begins anew. What a process counts in memory stays. */
export async function clearSharedLimits(): Promise<void> {
  await db.rateLimit.deleteMany();
}

/**
 * Allows `max` attempts per `windowSeconds` for each address from `clientIp`, three times as many for an IPv6 /56 and
 * ten times as many for a /48, so that a whole network can't be used to get around the limit.
 */
export function networkLimit(
  name: string,
  max: number,
  windowSeconds: number,
  scope: LimitScope = "site",
): NetworkLimit {
  const limits = NETWORK_FACTORS.map((factor, level) =>
    rateLimit(`${name}-${level}`, max * factor, windowSeconds, scope),
  );
  const limitsFor = (ip: string, of?: string) =>
    networksOf(ip).map((network, level) => [limits[level]!, of === undefined ? network : `${of} ${network}`] as const);
  return {
    consume: (ip, of) => consumeWidestFirst(limitsFor(ip, of)),
    peek: (ip, of) => peekAll(limitsFor(ip, of)),
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
