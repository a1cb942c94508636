import { createCookie } from "react-router";
import { DAY_SECONDS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { EXPIRED_SESSION_DAYS } from "./session-store.server.ts";
import { COOKIE_NAMES } from "../../http/request-cookies.server.ts";

const MAX_CACHED_HEADERS = 1000;
const MAX_CACHED_HEADER_LENGTH = 600;
/**
 * Session ids by Cookie header, cached once the signature has been verified, because verifying costs more than the
 * lookup.
 */
const verifiedSids = new Map<string, string>();

/** The cookie is kept as long as the row of an expired session, so that its browser can be notified of the expiry. */
export const sessionCookie = createCookie(COOKIE_NAMES.session, {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: env.isPublic,
  secrets: env.sessionSecrets,
  maxAge: EXPIRED_SESSION_DAYS * DAY_SECONDS,
});

/** Returns the session id in a Cookie header; null without our valid signature. */
export async function readSid(cookieHeader: string | null): Promise<string | null> {
  if (!cookieHeader) return null;
  const memoized = verifiedSids.get(cookieHeader);
  if (memoized) return memoized;
  const sid: unknown = await sessionCookie.parse(cookieHeader).catch(() => null);
  if (typeof sid !== "string") return null;
  if (cookieHeader.length <= MAX_CACHED_HEADER_LENGTH) {
    if (verifiedSids.size >= MAX_CACHED_HEADERS) verifiedSids.clear();
    verifiedSids.set(cookieHeader, sid);
  }
  return sid;
}
