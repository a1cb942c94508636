import { createCookie } from "react-router";
import { z } from "zod";
import { now } from "../../clock.ts";
import { MINUTE_MS, MINUTE_SECONDS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { COOKIE_NAMES } from "../../http/request-cookies.server.ts";

const LIFETIME_MINUTES = 10;

/** A signed cookie of ours with another content is no pending sign-in: all have one signature. */
const pendingSignInSchema = z.object({
  userId: z.int(),
  accessVersion: z.int(),
  /** Milliseconds since the epoch. */
  until: z.number(),
  sharedDevice: z.boolean(),
  isPasswordTooWeak: z.boolean(),
});

/** A sign-in whose password was correct and whose code is still missing. */
export type PendingSignIn = z.output<typeof pendingSignInSchema>;

const cookie = createCookie(COOKIE_NAMES.pendingSignIn, {
  httpOnly: true,
  sameSite: "strict",
  path: "/",
  secure: env.isPublic,
  secrets: env.sessionSecrets,
  maxAge: LIFETIME_MINUTES * MINUTE_SECONDS,
});

/** Returns the Set-Cookie value that records, for ten minutes, that this browser sent the account's password. */
export function pendingSignInCookie(signIn: Omit<PendingSignIn, "until">): Promise<string> {
  const until = now().getTime() + LIFETIME_MINUTES * MINUTE_MS;
  return cookie.serialize({ ...signIn, until } satisfies PendingSignIn);
}

export function expiredPendingSignInCookie(): Promise<string> {
  return cookie.serialize("", { maxAge: 0 });
}

/** Returns the pending sign-in of a Cookie header; null unless it has our signature and has not expired. */
export async function readPendingSignIn(cookieHeader: string | null): Promise<PendingSignIn | null> {
  const pending = pendingSignInSchema.safeParse(await cookie.parse(cookieHeader).catch(() => null));
  return pending.success && pending.data.until > now().getTime() ? pending.data : null;
}
