import { env } from "../env.server.ts";

/** Name of the cookie with a visitor's display preferences. */
export const DISPLAY_PREFERENCES_COOKIE = "comfort";

const PREFIX = env.isPublic ? "__Host-" : "";

/** Names of all cookies that the product sets. */
export const COOKIE_NAMES = {
  session: env.sessionCookieName,
  displayPreferences: DISPLAY_PREFERENCES_COOKIE,
  knownDevice: `${PREFIX}known-device`,
  passkeyChallenge: `${PREFIX}passkey`,
  pendingSignIn: `${PREFIX}sign-in`,
  unsentForm: `${PREFIX}unsent-form`,
} as const;

const OWN_COOKIE = new RegExp(`(?:^|;)[ \\t]*(${Object.values(COOKIE_NAMES).join("|")})=([^;]*)`, "g");

/**
 * Returns the part of a Cookie header with the product's own cookies, each once, as the first of several counts.
 * Parsing thousands of other cookies would take milliseconds.
 */
export function pickOwnCookies(header: string): string {
  const own = new Map<string, string>();
  for (const [, name = "", value = ""] of header.matchAll(OWN_COOKIE)) if (!own.has(name)) own.set(name, value);
  return [...own].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** Checks whether a Cookie header has a session or display preferences, so that pages differ from the cached ones. */
export function shouldBypassPageCache(cookie: string | undefined): boolean {
  return hasSessionCookie(cookie) || (cookie !== undefined && cookie.includes(`${DISPLAY_PREFERENCES_COOKIE}=`));
}

/** Checks whether a Cookie header has a session cookie, valid or not. */
export function hasSessionCookie(cookie: string | undefined): boolean {
  return cookie !== undefined && cookie.includes(`${env.sessionCookieName}=`);
}
