import { env } from "../env.server.ts";

/** Name of the cookie with a visitor's display preferences. */
export const DISPLAY_PREFERENCES_COOKIE = "comfort";

/** Checks whether a Cookie header has a session or display preferences, so that pages differ from the cached ones. */
export function bypassesPageCache(cookie: string | undefined): boolean {
  return hasSessionCookie(cookie) || (cookie !== undefined && cookie.includes(`${DISPLAY_PREFERENCES_COOKIE}=`));
}

/** Checks whether a Cookie header has a session cookie, valid or not. */
export function hasSessionCookie(cookie: string | undefined): boolean {
  return cookie !== undefined && cookie.includes(`${env.sessionCookie}=`);
}
