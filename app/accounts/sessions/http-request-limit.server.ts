import type { Request } from "express";
import { isSafeMethod } from "../../http/same-origin.server.ts";
import { createNetworkLimiter, type NetworkLimiter } from "../../http/rate-limit.server.ts";
import type { RequestOwner } from "../../http/fair-queue/fair-queue-middleware.server.ts";
import type { Refusal } from "../../http/outcome.ts";
import { registerSessionsEndedHandler } from "../close-session-connections.server.ts";
import { isExemptFromMutationLimits } from "./mutation-rate-limits.server.ts";
import { parseKnownDeviceCookie } from "../known-device.server.ts";
import { readSid } from "./session-cookie.server.ts";

/** An account, or a cookie with our signature whose account is not known yet. */
type Requester = { key: string; kind: "account" | "cookie"; isAdmin: boolean };

const MAX_CACHED_SESSIONS = 10_000;
/**
 * The account of each session that was looked up recently; null for a session that has ended. The oldest entry is
 * removed first.
 */
const accountBySid = new Map<string, { id: number; isAdmin: boolean } | null>();

/** Caches the account of session `sid`, so that its next request is counted for its account before it is looked up. */
export function cacheSessionOwner(sid: string, person: { id: number; isAdmin: boolean } | null): void {
  const cachedAccount = accountBySid.get(sid);
  if (cachedAccount !== undefined && cachedAccount?.id === person?.id) return;
  const [oldest] = accountBySid.keys();
  if (accountBySid.size >= MAX_CACHED_SESSIONS && oldest !== undefined) accountBySid.delete(oldest);
  accountBySid.set(sid, person && { id: person.id, isAdmin: person.isAdmin });
}

/** Returns the session of a Cookie header and its account if they are known without a query; otherwise null. */
export async function findCachedSessionAccount(
  cookieHeader: string | null,
): Promise<{ sid: string; id: number; isAdmin: boolean } | null> {
  const sid = await readSid(cookieHeader);
  const account = sid === null ? null : accountBySid.get(sid);
  return sid !== null && account ? { sid, ...account } : null;
}

/**
 * Returns the client for which a request is counted, by its cookies alone; null for an anonymous client and for the
 * cookie of an ended session. A request that revokes access (`isAccessRevoking`) is counted for its session, separately
 * from other requests of the account, so that a person with a copied earlier session can't use up the limit of the
 * owner's new one.
 */
async function resolveRateLimitClient(
  cookieHeader: string | null,
  isAccessRevoking: boolean,
): Promise<Requester | null> {
  const sid = await readSid(cookieHeader);
  const account = sid === null ? null : accountBySid.get(sid);
  if (account) {
    const key = isAccessRevoking ? `ending ${sid}` : String(account.id);
    return { key, kind: "account", isAdmin: account.isAdmin };
  }
  if (account === undefined) return { key: `session ${sid}`, kind: "cookie", isAdmin: false };
  const device = await parseKnownDeviceCookie(cookieHeader);
  return device && { key: `device ${device.id}`, kind: "cookie", isAdmin: false };
}

/**
 * Returns the account and session of a request, without a query; null for a session that was not looked up yet, and for
 * anyone else. Changing requests that end access have a key of their own for each session in each network.
 */
export async function findCachedRequestOwner({
  headers,
  path,
  method,
}: Pick<Request, "headers" | "path" | "method">): Promise<RequestOwner | null> {
  const isAccessRevoking = !isSafeMethod(method) && isExemptFromMutationLimits(path, method);
  const cookieHeader = headers.cookie ?? null;
  const requester = await resolveRateLimitClient(cookieHeader, isAccessRevoking);
  if (requester?.kind !== "account") return null;
  return { key: requester.key, session: (await readSid(cookieHeader)) ?? "", isPerNetwork: isAccessRevoking };
}

/** An ended session is looked up again before it counts for its account. */
async function evictCachedSessionsOfAccount(userId: number): Promise<void> {
  for (const [sid, account] of accountBySid) if (account?.id === userId) accountBySid.delete(sid);
}

registerSessionsEndedHandler(evictCachedSessionsOfAccount);

/** Number of accounts of one network that may each use their full limit. */
const FULL_LIMIT_ACCOUNTS_PER_NETWORK = 20;
/**
 * Share of the limit for a cookie whose account is not known yet. It needs only a few requests, because the first one
 * that looks it up makes it known.
 */
const COOKIE_LIMIT_SHARE = 0.1;
const COOKIES_PER_NETWORK = 100;

/** Counts a request by its IP address and Cookie header. `isAccessRevoking`: see `isExemptFromMutationLimits`. */
export type HttpRequestLimiter = {
  consume(ip: string, cookieHeader: string | null, isAccessRevoking?: boolean): Promise<Refusal | null>;
};

/**
 * Allows `max` requests per `windowSeconds` to each account in each network, and as many to all anonymous clients of a
 * network together. Clients behind one address therefore don't exhaust each other's limit, and a copied session does
 * not use up the owner's limit on another network. The accounts of a network together have twenty times as many, a
 * limit that never refuses the consultant; requests that were refused to an account don't count toward it. Applied
 * before the session is looked up.
 */
export function createHttpRequestLimiter(keyPrefix: string, max: number, windowSeconds: number): HttpRequestLimiter {
  const anonymousLimit = createNetworkLimiter(keyPrefix, max, windowSeconds, "process");
  const createNetworkLimitPair = (
    name: string,
    maxPerClient: number,
    count: number,
  ): [own: NetworkLimiter, all: NetworkLimiter] => [
    createNetworkLimiter(`${keyPrefix}-${name}`, maxPerClient, windowSeconds, "process"),
    createNetworkLimiter(`${keyPrefix}-${name}s`, maxPerClient * count, windowSeconds, "process"),
  ];
  const accountLimits = createNetworkLimitPair("account", max, FULL_LIMIT_ACCOUNTS_PER_NETWORK);
  const cookieLimits = createNetworkLimitPair("cookie", Math.ceil(max * COOKIE_LIMIT_SHARE), COOKIES_PER_NETWORK);
  return {
    async consume(ip, cookieHeader, isAccessRevoking = false) {
      const requester = await resolveRateLimitClient(cookieHeader, isAccessRevoking);
      if (!requester) return anonymousLimit.consume(ip);
      const [own, all] = requester.kind === "account" ? accountLimits : cookieLimits;
      return (await own.consume(ip, requester.key)) ?? (requester.isAdmin ? null : all.consume(ip));
    },
  };
}
