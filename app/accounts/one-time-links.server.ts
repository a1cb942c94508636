import { MINUTE_SECONDS } from "../duration.ts";
import { accepted, type Outcome, type Refusal } from "../http/outcome.ts";
import { networkLimit } from "../http/rate-limit.server.ts";

const MAX_WRONG_LINKS = 20;
const WINDOW_SECONDS = 15 * MINUTE_SECONDS;

/** Finds the record of a link; `find` returns null for an unknown, used or expired one. */
export type LinkLookup = <T>(ip: string, find: () => Promise<T | null>) => Promise<Outcome<T>>;

/**
 * The lookup of one kind of one-time links. Refusals: `gone`; tooMany, after 20 wrong ones in 15 minutes from one
 * address, also for a right one. `limitName` names the limit. There is no sum over all networks: a token of 256 bits
 * can't be guessed, and strangers could use the sum up for everybody.
 */
export function createLinkLookup(limitName: string, gone: Refusal): LinkLookup {
  const wrongLinks = networkLimit(limitName, MAX_WRONG_LINKS, WINDOW_SECONDS);
  return async (ip, find) => {
    const tooMany = await wrongLinks.peek(ip);
    if (tooMany) return tooMany;
    const found = await find();
    return found === null ? ((await wrongLinks.consume(ip)) ?? gone) : accepted(found);
  };
}
