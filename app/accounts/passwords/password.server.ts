import type { Piscina } from "piscina";
import { env } from "../../env.server.ts";
import { networksOf } from "../../http/client-ip.server.ts";
import { type Outcome, accepted, refused } from "../../http/outcome.ts";
import { PasswordQueue, type Waiter } from "./password-queue.server.ts";
import { fitsHash, normalPassword } from "./password-rule.ts";
import type { PasswordTask } from "./password-worker.ts";
import { normalizeText } from "../../normalize-text.ts";

const BCRYPT_COST = 11;
/** Beyond this many waiting sign-ins a further one is told to come back, instead of waiting half a minute. */
const MAX_QUEUE_LENGTH = 60;
const RETRY_SECONDS = 5;
const NETWORK_BUSY = "Many people of your network are signing in just now.";
const ACCOUNT_BUSY = "Many devices are signing in to this account just now.";

/** The client whose password it is, and the account that it is for; each account has three places in the queue. */
export type PasswordSource = { ip: string; account: string };

/** The source of a password that nobody sent over the network. */
export const THIS_MACHINE: PasswordSource = { ip: "this machine", account: "this machine" };

/** What a hash of no account's password looks like, so that an unknown address takes as long as a wrong password. */
const DUMMY_HASH = "$2b$11$ZllmhMd5VW.tnt7o25ztDewruC2jaogb2vSAVjs/9fN6mqfizSDHy";

// The worker stands beside this file, in the sources as in the build.
const workerUrl = new URL(
  import.meta.url.endsWith(".ts") ? "./password-worker.ts" : "./password-worker.js",
  import.meta.url,
);
// bcryptjs holds its thread for the whole hash, also in its async form: one thread of its own keeps pages quick.
const POOL_OPTIONS = {
  filename: workerUrl.href,
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: 60_000,
  maxQueue: MAX_QUEUE_LENGTH,
};
type Pool = { threads: Piscina; queue: PasswordQueue; waiterKey: symbol };
let pool: Promise<Pool> | undefined;

/**
 * Hashes a password of at most 72 bytes in its normal form (bcrypt reads no more). Refusals: tooMany (too many of the
 * source's network or account are waiting), unavailable (too many in all).
 */
export async function hashPassword(password: string, source: PasswordSource): Promise<Outcome<string>> {
  return runInWorker({ type: "hash", password: normalPassword(password), cost: BCRYPT_COST }, source);
}

/**
 * Compares in the same time whether or not there is an account, and whether or not the password is right. Hashes from
 * before passwords were normalized were made of what a device sent, so the other Unicode forms are compared too.
 */
export async function verifyPassword(
  password: string,
  hash: string | null,
  source: PasswordSource,
): Promise<Outcome<boolean>> {
  const forms = new Set([normalPassword(password), password, normalizeText(password, "NFD")]);
  // What is longer was never hashed; bcrypt would compare its beginning.
  const passwords = [...forms].filter(fitsHash);
  const result = await runInWorker<boolean>({ type: "compare", passwords, hash: hash ?? DUMMY_HASH }, source);
  return result.ok ? accepted(result.value && hash !== null) : result;
}

async function runInWorker<T>(task: PasswordTask, { ip, account }: PasswordSource): Promise<Outcome<T>> {
  const { threads: workers, queue, waiterKey } = await (pool ??= createPool());
  const { promise: removed, resolve: onRemoved } = Promise.withResolvers<void>();
  const waiter: Waiter = { networks: networksOf(ip), account, onRemoved };
  if (env.rateLimits && queue.isFullForNetwork(waiter)) return tryLater("tooMany", NETWORK_BUSY);
  if (env.rateLimits && !queue.hasPlaceForAccount(waiter)) return tryLater("tooMany", ACCOUNT_BUSY);
  if (!queue.hasPlace(waiter, MAX_QUEUE_LENGTH)) return tryLater("unavailable", "Many people are signing in just now.");
  // Piscina lets tasks with an AbortSignal pass by the queue, so a task that lost its place is just never finished.
  const finished = workers.run({ ...task, [waiterKey]: waiter });
  return Promise.race([
    finished.then((result) => accepted(result as T)),
    removed.then(() => tryLater("tooMany", NETWORK_BUSY)),
  ]);
}

function tryLater(reason: "tooMany" | "unavailable", why: string) {
  return { ...refused(reason, `${why} Please try again in a few seconds.`), retryAfterSeconds: RETRY_SECONDS };
}

/** Loaded with the first sign-in. */
async function createPool(): Promise<Pool> {
  const { Piscina: Threads, queueOptionsSymbol } = await import("piscina");
  const queue = new PasswordQueue((task) => Reflect.get(task, queueOptionsSymbol) as Waiter);
  return { threads: new Threads({ ...POOL_OPTIONS, taskQueue: queue }), queue, waiterKey: queueOptionsSymbol };
}
