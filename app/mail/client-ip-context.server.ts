import { AsyncLocalStorage } from "node:async_hooks";

const requesters = new AsyncLocalStorage<{ ip: string | null }>();

/**
 * Runs the work of one request for the client with this address (`clientIp`), by which what it brings about can be
 * limited; null: it is not limited, because the program itself, the consultant or the card provider brings it about.
 */
export function runWithClientIp<T>(ip: string | null, work: () => T): T {
  return requesters.run({ ip }, work);
}

/** The address of the client whose request is in progress; null outside of requests, and where none is limited. */
export function currentClientIp(): string | null {
  return requesters.getStore()?.ip ?? null;
}
