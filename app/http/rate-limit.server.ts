import { db } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import { AttemptCounter } from "./attempt-counter.server.ts";
import { networksOf } from "./client-ip.server.ts";
import { logError } from "./errors.server.ts";
import { keyedHash } from "./network-hash.server.ts";
import { type Refusal, refused } from "./outcome.ts";

export type RateLimiter = {
  /** Counts an attempt for `key`. Refusal: tooMany, with the time to wait. */
  consume(key: string): Promise<Refusal | null>;
  /** Returns the same refusal as `consume`, without counting an attempt. */
  peek(key: string): Promise<Refusal | null>;
};

/**
 * With `owner`, such as an account, attempts in each network are counted separately for it. Without it, they are counted
 * together.
 */
export type NetworkLimiter = {
  consume(ip: string, owner?: string): Promise<Refusal | null>;
  peek(ip: string, owner?: string): Promise<Refusal | null>;
};

/** Limits of a /64, a /56 and a /48, as multiples of the limit of one address. */
const NETWORK_LIMIT_FACTORS = [1, 3, 10];

/**
 * Where attempts are counted. `site`: in the database on PostgreSQL, for all processes together. `process`: in memory,
 * for limits that protect the process itself and must not cost a query. On SQLite, which has one process, both are in
 * memory.
 */
export type RateLimitScope = "site" | "process";

type Counter = {
  add(key: string): number | null | Promise<number | null>;
  peek(key: string): number | null | Promise<number | null>;
};

/** All counters in memory by the name of their limit. No two limits may have the same name. */
export const attemptCounters = new Map<string, AttemptCounter>();

/**
 * Creates a limit of `maxAttempts` attempts per `windowSeconds` for each key, counted in `scope`. The number of keys in memory
 * is limited (`AttemptCounter`). While PostgreSQL does not respond, each process counts in its own memory.
 * RATE_LIMITS=off disables the limit.
 */
export function createRateLimiter(
  name: string,
  maxAttempts: number,
  windowSeconds: number,
  scope: RateLimitScope = "site",
): RateLimiter {
  if (attemptCounters.has(name)) throw new Error(`Two limits are named ${name}.`);
  const memoryCounter = new AttemptCounter(name, maxAttempts, windowSeconds);
  attemptCounters.set(name, memoryCounter);
  const isShared = scope === "site" && !env.databaseUrl.startsWith("file:");
  let sharedCounter: Promise<Counter> | undefined;
  const findRefusal = async (countAttempt: (counter: Counter) => ReturnType<Counter["add"]>) => {
    if (!env.isRateLimitingEnabled) return null;
    const waitMs = isShared
      ? await openSharedCounter()
          .then(countAttempt)
          .catch((error: unknown) => {
            logError(error, `rate limit ${name}`);
            return countAttempt(memoryCounter);
          })
      : await countAttempt(memoryCounter);
    return waitMs === null ? null : rateLimitExceeded(waitMs);
  };
  const openSharedCounter = () => (sharedCounter ??= createSharedCounter(name, maxAttempts, windowSeconds));
  return {
    consume: (key) => findRefusal((counter) => counter.add(key)),
    peek: (key) => findRefusal((counter) => counter.peek(key)),
  };
}

/**
 * Creates a counter in PostgreSQL. Its keys are keyed hashes, so that the table contains no personal data. The
 * PostgreSQL driver is only imported when it is needed.
 */
async function createSharedCounter(name: string, maxAttempts: number, windowSeconds: number): Promise<Counter> {
  const { SharedAttemptCounter } = await import("../db/shared-attempt-counter.server.ts");
  const counter = new SharedAttemptCounter(name, maxAttempts, windowSeconds);
  const hash = (key: string) => keyedHash(`rate limit ${name}`, key);
  return { add: (key) => counter.add(hash(key)), peek: (key) => counter.peek(hash(key)) };
}

/**
 * Deletes the attempts counted in PostgreSQL, which resets every limit there. Does not reset what a process counts in
 * memory.
 */
export async function clearSharedAttemptCounts(): Promise<void> {
  await db.rateLimit.deleteMany();
}

/**
 * Creates a limit of `maxAttempts` attempts per `windowSeconds` for each address from `clientIp`, three times as many for an
 * IPv6 /56 and ten times as many for a /48, so that the addresses of a whole network can't be used to bypass the limit.
 */
export function createNetworkLimiter(
  name: string,
  maxAttempts: number,
  windowSeconds: number,
  scope: RateLimitScope = "site",
): NetworkLimiter {
  const limits = NETWORK_LIMIT_FACTORS.map((factor, level) =>
    createRateLimiter(`${name}-${level}`, maxAttempts * factor, windowSeconds, scope),
  );
  const limitsFor = (ip: string, owner?: string) =>
    networksOf(ip).map(
      (network, level) => [limits[level]!, owner === undefined ? network : `${owner} ${network}`] as const,
    );
  return {
    consume: (ip, owner) => consumeWidestFirst(limitsFor(ip, owner)),
    peek: (ip, owner) => peekAllLimiters(limitsFor(ip, owner)),
  };
}

export type KeyedLimiters = readonly (readonly [RateLimiter, string])[];

/**
 * Counts an attempt in each limit, widest network first, and stops at the first refusal. A refused network's parts, up
 * to 65,536, therefore use no memory.
 */
async function consumeWidestFirst(limits: KeyedLimiters): Promise<Refusal | null> {
  for (const [limit, key] of limits.toReversed()) {
    const refusal = await limit.consume(key);
    if (refusal) return refusal;
  }
  return null;
}

/**
 * Counts an attempt in each of the limits, including those after a refusal. Returns the first refusal, otherwise null.
 */
export async function consumeAllLimiters(limits: KeyedLimiters): Promise<Refusal | null> {
  const refusals = await Promise.all(limits.map(([each, key]) => each.consume(key)));
  return refusals.find((refusal) => refusal !== null) ?? null;
}

/** Returns the first refusal that `consumeAllLimiters` would return, without counting an attempt. */
export async function peekAllLimiters(limits: KeyedLimiters): Promise<Refusal | null> {
  const refusals = await Promise.all(limits.map(([each, key]) => each.peek(key)));
  return refusals.find((refusal) => refusal !== null) ?? null;
}

function rateLimitExceeded(waitMs: number): Refusal {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const waitText = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return { ...refused("tooMany", `Too many tries. Please wait ${waitText} and try again.`), retryAfterSeconds };
}
