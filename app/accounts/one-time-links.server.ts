import { MINUTE_SECONDS } from "../duration.ts";
import { accepted, type Outcome, type Refusal } from "../http/outcome.ts";
import { networkLimit, rateLimit } from "../http/rate-limit.server.ts";

const MAX_WRONG_LINKS = 20;
const WINDOW_SECONDS = 15 * MINUTE_SECONDS;

/** Where a link was opened: the client's address, and who is signed in there, if anybody. */
export type LinkSource = { ip: string; person: { id: number } | null };
/** Finds the record of a link; `find` returns null for an unknown, used or expired one. */
export type LinkLookup = <T>(source: LinkSource, find: () => Promise<T | null>) => Promise<Outcome<T>>;

/** Of all kinds of links. */
const wrongLinksOfAccount = rateLimit("wrong-links-account", MAX_WRONG_LINKS, WINDOW_SECONDS);

/**
 * The lookup of one kind of one-time links. Refusals: `gone`; tooMany, after 20 wrong ones in 15 minutes of one
 * account, or of the strangers of one address, also for a right one. `limitName` names the limit. There is no sum over all networks: a token of 256 bits
 * can't be guessed, and strangers could use the sum up for everybody.
 */
export function createLinkLookup(limitName: string, gone: Refusal): LinkLookup {
  const wrongLinks = networkLimit(limitName, MAX_WRONG_LINKS, WINDOW_SECONDS);
  return async ({ ip, person }, find) => {
    const [limit, key] = person ? [wrongLinksOfAccount, String(person.id)] : [wrongLinks, ip];
    const tooMany = await limit.peek(key);
    if (tooMany) return tooMany;
    const found = await find();
    return found === null ? ((await limit.consume(key)) ?? gone) : accepted(found);
  };
}
