import { createCookie } from "react-router";
import { env } from "../env.server.ts";

export const COOKIE_LIFETIME_DAYS = 7;
const MAX_MEMOIZED = 1000;
const MAX_MEMOIZED_HEADER_LENGTH = 600;

export const sessionCookie = createCookie(env.sessionCookie, {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: env.isPublic,
  secrets: env.sessionSecrets,
  maxAge: COOKIE_LIFETIME_DAYS * 24 * 60 * 60,
});

/** What a Cookie header named, once its signature was found good: checking it anew takes longer than the request's own work. */
const verifiedSids = new Map<string, string>();

/** The session id of a Cookie header, when it carries one that we signed; else null. */
export async function readSid(cookieHeader: string | null): Promise<string | null> {
  if (!cookieHeader) return null;
  const memoized = verifiedSids.get(cookieHeader);
  if (memoized) return memoized;
  const sid: unknown = await sessionCookie.parse(cookieHeader).catch(() => null);
  if (typeof sid !== "string") return null;
  if (cookieHeader.length <= MAX_MEMOIZED_HEADER_LENGTH) {
    if (verifiedSids.size >= MAX_MEMOIZED) verifiedSids.clear();
    verifiedSids.set(cookieHeader, sid);
  }
  return sid;
}
