import { AsyncLocalStorage } from "node:async_hooks";

const requests = new AsyncLocalStorage<{ actorId: number | null }>();

/**
 * Runs the work of one request. What it records is attributed to `actorId`, or to a person who is not signed in if
 * null.
 */
export function runAsActor<T>(actorId: number | null, work: () => T): T {
  return requests.run({ actorId }, work);
}

/**
 * Returns the id of the account that sent the request in progress. Returns null outside of requests, such as in a job
 * or a command-line program.
 */
export function currentActorId(): number | null {
  return requests.getStore()?.actorId ?? null;
}
