import type { RouterContextProvider } from "react-router";
import { MINUTE_SECONDS } from "../../time-units.ts";
import { clientIpContext } from "../../http/request-context.server.ts";
import { accepted, type Outcome, type Refusal } from "../../http/outcome.ts";
import { createNetworkLimiter } from "../../http/rate-limit.server.ts";
import { getPerson } from "../guards.server.ts";
import { getPossiblyRestrictedSession } from "../sessions/session.server.ts";

const MAX_WRONG_LINKS = 20;
const WINDOW_SECONDS = 15 * MINUTE_SECONDS;

/** Where a link was opened: the client's IP address, and the session of the person signed in there, if any. */
export type LinkSource = { ip: string; sid: string | null };

/** Returns where the link of a request with `context` was opened. */
export function getLinkSource(context: Readonly<RouterContextProvider>): LinkSource {
  const sid = getPerson(context) ? (getPossiblyRestrictedSession(context)?.sid ?? null) : null;
  return { ip: context.get(clientIpContext), sid };
}

/** Finds the record of a link. `find` returns null for an unknown, used or expired link. */
type LinkLookup = <T>(source: LinkSource, find: () => Promise<T | null>) => Promise<Outcome<T>>;

/**
 * Limits all kinds of links together, by session and network: a copied session in another network does not use up the
 * owner's limit.
 */
const sessionWrongLinkLimiter = createNetworkLimiter("wrong-links-session", MAX_WRONG_LINKS, WINDOW_SECONDS);

/**
 * Creates the lookup of one kind of one-time links. Refusals: `invalidLinkRefusal`; tooMany, after 20 wrong links in 15 minutes from
 * one session and network, or from all anonymous clients of one address; it then applies to a valid link too.
 * `limitName` names the limit. There is no total over all networks: a token of 256 bits can't be guessed, and anonymous
 * clients could use up the total for everyone.
 */
export function createRateLimitedLinkLookup(limitName: string, invalidLinkRefusal: Refusal): LinkLookup {
  const wrongLinkLimit = createNetworkLimiter(limitName, MAX_WRONG_LINKS, WINDOW_SECONDS);
  return async ({ ip, sid }, find) => {
    const limit = sid === null ? wrongLinkLimit : sessionWrongLinkLimiter;
    const rateLimitRefusal = await limit.peek(ip, sid ?? undefined);
    if (rateLimitRefusal) return rateLimitRefusal;
    const found = await find();
    return found === null ? ((await limit.consume(ip, sid ?? undefined)) ?? invalidLinkRefusal) : accepted(found);
  };
}
