import { env } from "../env.server.ts";

/** Name of the cookie with a visitor's display preferences. */
export const DISPLAY_PREFERENCES_COOKIE = "comfort";

const COOKIE_PREFIX = env.isPublic ? "__Host-" : "";

/** Names of all cookies that the product sets. */
export const COOKIE_NAMES = {
  session: env.sessionCookieName,
  displayPreferences: DISPLAY_PREFERENCES_COOKIE,
  knownDevice: `${COOKIE_PREFIX}known-device`,
  passkeyChallenge: `${COOKIE_PREFIX}passkey`,
  pendingSignIn: `${COOKIE_PREFIX}sign-in`,
  unsentForm: `${COOKIE_PREFIX}unsent-form`,
} as const;

const OWN_COOKIE_PATTERN = new RegExp(`(?:^|;)[ \\t]*(${Object.values(COOKIE_NAMES).join("|")})=([^;]*)`, "g");

/**
 * Returns the part of a Cookie header with the product's own cookies, each once, as the first of several counts.
 * Parsing thousands of other cookies would take milliseconds.
 */
export function pickOwnCookies(header: string): string {
  const ownCookies = new Map<string, string>();
  for (const [, name = "", value = ""] of header.matchAll(OWN_COOKIE_PATTERN))
    if (!ownCookies.has(name)) ownCookies.set(name, value);
  return [...ownCookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** Checks whether a Cookie header has a session or display preferences, so that pages differ from the cached ones. */
export function shouldBypassPageCache(cookieHeader: string | undefined): boolean {
  return (
    hasSessionCookie(cookieHeader) ||
    (cookieHeader !== undefined && cookieHeader.includes(`${DISPLAY_PREFERENCES_COOKIE}=`))
  );
}

/** Checks whether a Cookie header has a session cookie, valid or not. */
export function hasSessionCookie(cookieHeader: string | undefined): boolean {
  return cookieHeader !== undefined && cookieHeader.includes(`${env.sessionCookieName}=`);
}
