import { AsyncLocalStorage } from "node:async_hooks";

/** The account that sent a request, and its session. */
type Actor = { id: number; sid: string };

const actorStorage = new AsyncLocalStorage<Actor | null>();

/** Runs the work of one request. What it records is attributed to `actor`, or to a person who is not signed in if null. */
export function runAsActor<T>(actor: Actor | null, work: () => T): T {
  return actorStorage.run(actor, work);
}

/**
 * Returns the id of the account that sent the request in progress. Returns null outside of requests, such as in a job
 * or a command-line program.
 */
export function currentActorId(): number | null {
  return actorStorage.getStore()?.id ?? null;
}

/** Returns the id of the session that sent the request in progress; null in the same cases as `currentActorId`. */
export function currentSid(): string | null {
  return actorStorage.getStore()?.sid ?? null;
}
