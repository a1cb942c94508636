import type { IncomingMessage } from "node:http";
import { env } from "../env.server.ts";
import { HTTP_STATUS } from "./outcome.ts";
import { hasSessionCookie } from "./request-cookies.server.ts";

/** Checks whether a method only reads. Of the others, OPTIONS is refused for every path (request-guard.server.ts). */
export function isSafeMethod(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Path of the payment webhook. It is authenticated by its signature; the provider sends neither Origin nor cookies. */
const WEBHOOK_PATH = "/api/payments/webhook";

/** Checks whether there is exactly one Host header and it names this site. Links, redirects and caches depend on it. */
export function isAllowedHost({ headers, rawHeaders }: Pick<IncomingMessage, "headers" | "rawHeaders">): boolean {
  return env.allowedHosts.has((headers.host ?? "").toLowerCase()) && !hasDuplicateHost(rawHeaders);
}

/** Returns the HTTP status for a request without an allowed host. A request without a Host header is malformed. */
export function hostErrorStatus({ headers }: Pick<IncomingMessage, "headers">): number {
  return headers.host === undefined ? HTTP_STATUS.malformed : 421;
}

/** Checks for several Host headers: Node uses the first one, a proxy may use the last one. */
function hasDuplicateHost(rawHeaders: readonly string[]): boolean {
  let hostHeaderCount = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hostHeaderCount += 1;
  }
  return hostHeaderCount > 1;
}

/**
 * Checks whether a changing request comes from this site's pages, or from a program without a session. Origin and
 * Sec-Fetch-Site must not contradict this; with a session cookie, at least one of them must be present. Used by pages,
 * the API and WebSocket upgrades.
 */
export function isSameOriginOrSessionless(request: Pick<IncomingMessage, "headers">): boolean {
  const { origin, cookie } = request.headers;
  const fetchSite = request.headers["sec-fetch-site"];
  if (origin !== undefined && !env.allowedOrigins.has(origin.toLowerCase())) return false;
  if (fetchSite !== undefined && fetchSite !== "same-origin" && fetchSite !== "none") return false;
  return origin !== undefined || fetchSite !== undefined || !hasSessionCookie(cookie);
}

export function isSameOriginRequired(method: string, path: string): boolean {
  return !isSafeMethod(method) && path !== WEBHOOK_PATH;
}
