import { AsyncLocalStorage } from "node:async_hooks";

const clientIpStorage = new AsyncLocalStorage<{ ip: string | null }>();

/**
 * Runs the work of one request for the client with the address `ip` (`clientIp`), so that the mail it triggers can be
 * limited by that address. With null, mail is not limited, because the application itself, the consultant or the card
 * provider triggers it.
 */
export function runWithMailRequesterIp<T>(ip: string | null, work: () => T): T {
  return clientIpStorage.run({ ip }, work);
}

/**
 * Returns the address of the client whose request is in progress. Returns null outside of requests and for requests
 * that are not limited.
 */
export function currentMailRequesterIp(): string | null {
  return clientIpStorage.getStore()?.ip ?? null;
}
