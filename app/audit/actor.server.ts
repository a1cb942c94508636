import { AsyncLocalStorage } from "node:async_hooks";

const requests = new AsyncLocalStorage<{ actorId: number | null }>();

/** Runs the work of one request; what it records was done by `actorId`, null for somebody who is not signed in. */
export function runAsActor<T>(actorId: number | null, work: () => T): T {
  return requests.run({ actorId }, work);
}

/** Who sent the request in progress; null outside of requests, such as in a job or a command of the machine. */
export function currentActorId(): number | null {
  return requests.getStore()?.actorId ?? null;
}
