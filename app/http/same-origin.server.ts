import type { IncomingMessage } from "node:http";
import { env } from "../env.server.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Judged by its signature alone; the provider is no browser and has no cookie. */
const WEBHOOK_PATH = "/api/payments/webhook";

/** Whether the one Host header names this site. Links, redirects and caches must never follow any other. */
export function isAllowedHost({ headers, rawHeaders }: Pick<IncomingMessage, "headers" | "rawHeaders">): boolean {
  return env.allowedHosts.has((headers.host ?? "").toLowerCase()) && !hasDuplicateHost(rawHeaders);
}

/** Node reads the first of two, the proxy in front perhaps the last. */
function hasDuplicateHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

/**
 * Whether a changing request comes from our own pages, or from a program that carries nobody's session.
 * Origin and Sec-Fetch-Site must not speak against it; with a session cookie at least one must speak for it.
 * Used by pages, the API and the socket's upgrade alike.
 */
export function isSameOrigin(request: Pick<IncomingMessage, "headers">): boolean {
  const { origin, cookie } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (origin !== undefined && !env.allowedOrigins.has(origin.toLowerCase())) return false;
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return origin !== undefined || site !== undefined || !hasSessionCookie(cookie);
}

export function requiresSameOrigin(method: string, path: string): boolean {
  return !SAFE_METHODS.has(method) && path !== WEBHOOK_PATH;
}

/** In which a visitor's browser keeps how pages shall look there. */
export const DISPLAY_PREFERENCES_COOKIE = "comfort";

/** Whether a visitor's pages may differ from everybody's: by a session, or by a look of their own. */
export function bypassesPageCache(cookie: string | undefined): boolean {
  return hasSessionCookie(cookie) || (cookie !== undefined && cookie.includes(`${DISPLAY_PREFERENCES_COOKIE}=`));
}

/** Whether a Cookie header names our session, without looking at what is in it. */
export function hasSessionCookie(cookie: string | undefined): boolean {
  return cookie !== undefined && cookie.includes(`${env.sessionCookie}=`);
}
