import type { RouterContextProvider } from "react-router";
import { MINUTE_SECONDS } from "../../duration.ts";
import { clientIpContext } from "../../http/context.server.ts";
import { accepted, type Outcome, type Refusal } from "../../http/outcome.ts";
import { networkLimit } from "../../http/rate-limit.server.ts";
import { getPerson } from "../guards.server.ts";
import { getSession } from "../sessions/session.server.ts";

const MAX_WRONG_LINKS = 20;
const WINDOW_SECONDS = 15 * MINUTE_SECONDS;

/** Where a link was opened: the client's address, and the session of whoever is signed in there, if anybody. */
export type LinkSource = { ip: string; sid: string | null };

/** Where the link of a request that is made with `context` was opened. */
export function linkSource(context: Readonly<RouterContextProvider>): LinkSource {
  const sid = getPerson(context) ? (getSession(context)?.sid ?? null) : null;
  return { ip: context.get(clientIpContext), sid };
}

/** Finds the record of a link; `find` returns null for an unknown, used or expired one. */
export type LinkLookup = <T>(source: LinkSource, find: () => Promise<T | null>) => Promise<Outcome<T>>;

/** For all kinds of links together, by session and network: a copied session in another network uses up none of its owner's. */
const sessionWrongLinkLimit = networkLimit("wrong-links-session", MAX_WRONG_LINKS, WINDOW_SECONDS);

/**
 * The lookup of one kind of one-time links. Refusals: `gone`; tooMany, after 20 wrong ones in 15 minutes of one
 * session there, or of the strangers of one address, also for a right one. `limitName` names the limit. There is no sum over all networks: a token of 256 bits
 * can't be guessed, and strangers could use the sum up for everybody.
 */
export function createRateLimitedLinkLookup(limitName: string, gone: Refusal): LinkLookup {
  const wrongLinkLimit = networkLimit(limitName, MAX_WRONG_LINKS, WINDOW_SECONDS);
  return async ({ ip, sid }, find) => {
    const limit = sid === null ? wrongLinkLimit : sessionWrongLinkLimit;
    const tooMany = await limit.peek(ip, sid ?? undefined);
    if (tooMany) return tooMany;
    const found = await find();
    return found === null ? ((await limit.consume(ip, sid ?? undefined)) ?? gone) : accepted(found);
  };
}
