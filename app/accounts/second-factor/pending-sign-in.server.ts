import { createHmac, timingSafeEqual } from "node:crypto";
import { createCookie } from "react-router";
import { now } from "../../clock.ts";
import { MINUTE_MS, MINUTE_SECONDS } from "../../duration.ts";
import { env } from "../../env.server.ts";

const LIFETIME_MINUTES = 10;

/** A sign-in whose password was correct and whose code is still missing. */
export type PendingSignIn = { userId: number; proof: string; until: number; sharedDevice: boolean };

const cookie = createCookie(`${env.isPublic ? "__Host-" : ""}sign-in`, {
  httpOnly: true,
  sameSite: "strict",
  path: "/",
  secure: env.isPublic,
  secrets: env.sessionSecrets,
  maxAge: LIFETIME_MINUTES * MINUTE_SECONDS,
});

/** Returns the Set-Cookie value that records, for ten minutes, that this browser sent the account's password. */
export function pendingSignInCookie(userId: number, passwordHash: string, sharedDevice: boolean): Promise<string> {
  const until = now().getTime() + LIFETIME_MINUTES * MINUTE_MS;
  return cookie.serialize({
    userId,
    proof: passwordFingerprint(passwordHash, until),
    until,
    sharedDevice,
  } satisfies PendingSignIn);
}

export function expiredPendingSignInCookie(): Promise<string> {
  return cookie.serialize("", { maxAge: 0 });
}

/** Returns the pending sign-in of a Cookie header; null unless it has our signature and has not expired. */
export async function readPendingSignIn(cookieHeader: string | null): Promise<PendingSignIn | null> {
  const pending = (await cookie.parse(cookieHeader).catch(() => null)) as PendingSignIn | null;
  return typeof pending?.until === "number" && pending.until > now().getTime() ? pending : null;
}

/** Checks that the account's password is still the one that was sent. */
export function isPasswordUnchanged({ proof, until }: PendingSignIn, passwordHash: string): boolean {
  const [given, expected] = [Buffer.from(proof), Buffer.from(passwordFingerprint(passwordHash, until))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Returns a keyed fingerprint of a password hash, which does not reveal the hash. */
function passwordFingerprint(passwordHash: string, until: number): string {
  return createHmac("sha256", env.sessionSecrets[0] ?? "")
    .update(`pending sign-in ${until} ${passwordHash}`)
    .digest("base64url");
}
