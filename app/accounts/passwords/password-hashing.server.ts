import type { Piscina } from "piscina";
import { MINUTE_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { networksOf } from "../../http/client-ip.server.ts";
import { runWithSlotReleased } from "../../http/fair-queue/fair-queue-middleware.server.ts";
import { type Outcome, accepted, refused } from "../../http/outcome.ts";
import { FairPasswordQueue, type PasswordTaskClient } from "./fair-password-queue.server.ts";
import { isWithinBcryptLimit, normalizePassword } from "./password-rule.ts";
import type { PasswordTask } from "./password-worker.ts";
import { normalizeUnicode } from "../../normalize-unicode.ts";

const BCRYPT_COST = 11;
/** Maximum queue length. With more waiting tasks, a sign-in would wait longer than half a minute. */
const MAX_QUEUE_LENGTH = 60;
const RETRY_AFTER_SECONDS = 5;
const NETWORK_OVERLOADED_MESSAGE = "Many people on your network are signing in right now.";
const ACCOUNT_OVERLOADED_MESSAGE = "Many devices are signing in to this account right now.";

/**
 * The client that sent a password, and the account it is for, which may have at most three tasks in the queue. A client
 * is recognized if it is signed in, has a valid link, or signed in to the account on this device before.
 */
export type PasswordTaskSource = { ip: string; account: string; isRecognized: boolean };

/** The source of passwords that are set from the command line. */
export const COMMAND_LINE_SOURCE: PasswordTaskSource = {
  ip: "this machine",
  account: "this machine",
  isRecognized: true,
};

/** A hash that matches no password, compared for unknown addresses so that they take as long as a wrong password. */
const DUMMY_HASH = "$2b$11$ZllmhMd5VW.tnt7o25ztDewruC2jaogb2vSAVjs/9fN6mqfizSDHy";

// The worker's file is next to this one, in the sources and in the build.
const passwordWorkerUrl = new URL(
  import.meta.url.endsWith(".ts") ? "./password-worker.ts" : "./password-worker.js",
  import.meta.url,
);
// bcryptjs blocks its thread while hashing, even with its async API.
const POOL_OPTIONS = {
  filename: passwordWorkerUrl.href,
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: MINUTE_MS,
  maxQueue: MAX_QUEUE_LENGTH,
};
type Pool = { workers: Piscina; queue: FairPasswordQueue; clientKey: symbol };
let pool: Promise<Pool> | undefined;

/**
 * Hashes a password of at most 72 bytes in NFC. Refusals: tooMany (too many of the source's network or account are
 * waiting), unavailable (too many in all).
 */
export async function hashPassword(password: string, source: PasswordTaskSource): Promise<Outcome<string>> {
  return runInWorker({ type: "hash", password: normalizePassword(password), cost: BCRYPT_COST }, source);
}

/**
 * Compares a password with a hash in constant time, whether or not the account exists and the password is right. Hashes
 * from before passwords were normalized may be of another Unicode form, so all forms are compared.
 */
export async function verifyPassword(
  password: string,
  hash: string | null,
  source: PasswordTaskSource,
): Promise<Outcome<boolean>> {
  const unicodeForms = new Set([normalizePassword(password), password, normalizeUnicode(password, "NFD")]);
  // Longer passwords were never hashed; bcrypt would compare only their beginning.
  const passwords = [...unicodeForms].filter(isWithinBcryptLimit);
  const result = await runInWorker<boolean>({ type: "compare", passwords, hash: hash ?? DUMMY_HASH }, source);
  return result.ok ? accepted(result.value && hash !== null) : result;
}

async function runInWorker<T>(
  task: PasswordTask,
  { ip, account, isRecognized }: PasswordTaskSource,
): Promise<Outcome<T>> {
  const { workers, queue, clientKey } = await (pool ??= createWorkerPool());
  const { promise: removed, resolve: onRemoved } = Promise.withResolvers<void>();
  const client: PasswordTaskClient = { networks: networksOf(ip), account, isRecognized, onEvicted: onRemoved };
  if (env.isRateLimitingEnabled && !queue.ensureNetworkCapacity(client))
    return overloadedRefusal("tooMany", NETWORK_OVERLOADED_MESSAGE);
  if (env.isRateLimitingEnabled && !queue.ensureAccountCapacity(client))
    return overloadedRefusal("tooMany", ACCOUNT_OVERLOADED_MESSAGE);
  if (!queue.ensureQueueCapacity(client, MAX_QUEUE_LENGTH))
    return overloadedRefusal("unavailable", "Many people are signing in right now.");
  // Piscina does not queue tasks with an AbortSignal, so the promise of a removed task stays pending.
  const finished = workers.run({ ...task, [clientKey]: client });
  return runWithSlotReleased(() =>
    Promise.race([
      finished.then((result) => accepted(result as T)),
      removed.then(() => overloadedRefusal("tooMany", NETWORK_OVERLOADED_MESSAGE)),
    ]),
  );
}

function overloadedRefusal(reason: "tooMany" | "unavailable", explanation: string) {
  return {
    ...refused(reason, `${explanation} Please try again in a few seconds.`),
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  };
}

/** Creates the pool. Its library is imported at the first sign-in. */
async function createWorkerPool(): Promise<Pool> {
  const { Piscina, queueOptionsSymbol } = await import("piscina");
  const queue = new FairPasswordQueue((task) => Reflect.get(task, queueOptionsSymbol) as PasswordTaskClient);
  return { workers: new Piscina({ ...POOL_OPTIONS, taskQueue: queue }), queue, clientKey: queueOptionsSymbol };
}
