import { createCookie } from "react-router";
import { env } from "../env.server.ts";

export const COOKIE_DAYS = 7;
const MOST_KEPT = 1000;
const LONGEST_KEPT = 600;

export const sessionCookie = createCookie(env.sessionCookie, {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: env.isPublic,
  secrets: env.sessionSecrets,
  maxAge: COOKIE_DAYS * 24 * 60 * 60,
});

/** What a Cookie header named, once its signature was found good: checking it anew takes longer than the request's own work. */
const kept = new Map<string, string>();

/** The session id of a Cookie header, when it carries one that we signed; else null. */
export async function readSid(cookieHeader: string | null): Promise<string | null> {
  if (!cookieHeader) return null;
  const known = kept.get(cookieHeader);
  if (known) return known;
  const sid: unknown = await sessionCookie.parse(cookieHeader).catch(() => null);
  if (typeof sid !== "string") return null;
  if (cookieHeader.length <= LONGEST_KEPT) {
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(cookieHeader, sid);
  }
  return sid;
}
