import type { Piscina } from "piscina";
import { type Outcome, accepted, refused } from "../http/outcome.ts";

const COST = 11;
/** Beyond this many waiting sign-ins a further one is told to come back, instead of waiting half a minute. */
const LONGEST_QUEUE = 60;

/** What a hash of no account's password looks like, so that an unknown address takes as long as a wrong password. */
const NOBODYS_HASH = "$2b$11$ZllmhMd5VW.tnt7o25ztDewruC2jaogb2vSAVjs/9fN6mqfizSDHy";

// The worker stands beside this file, in the sources as in the build.
const worker = new URL(
  import.meta.url.endsWith(".ts") ? "./password-worker.ts" : "./password-worker.js",
  import.meta.url,
);
// bcryptjs holds its thread for the whole hash, also in its async form: one thread of its own keeps pages quick.
const THREADS = { filename: worker.href, minThreads: 0, maxThreads: 1, idleTimeout: 60_000, maxQueue: LONGEST_QUEUE };
let pool: Promise<Piscina> | undefined;

/** Hashes a password of at most 72 bytes (bcrypt reads no more). */
export async function hashPassword(password: string): Promise<Outcome<string>> {
  return work({ do: "hash", password, cost: COST });
}

/** Compares in the same time whether or not there is an account. */
export async function passwordMatches(password: string, hash: string | null): Promise<Outcome<boolean>> {
  const result = await work<boolean>({ do: "compare", password, hash: hash ?? NOBODYS_HASH });
  return result.ok ? accepted(result.value && hash !== null) : result;
}

async function work<T>(task: object): Promise<Outcome<T>> {
  const threads = await (pool ??= openPool());
  if (threads.queueSize >= LONGEST_QUEUE) {
    const refusal = refused("unavailable", "Many people are signing in just now. Please try again in a few seconds.");
    return { ...refusal, retryAfterSeconds: 5 };
  }
  return accepted((await threads.run(task)) as T);
}

/** Loaded with the first sign-in. */
async function openPool(): Promise<Piscina> {
  const { Piscina: Pool } = await import("piscina");
  return new Pool(THREADS);
}
