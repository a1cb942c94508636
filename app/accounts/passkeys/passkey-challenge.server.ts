import { createHash, randomBytes } from "node:crypto";
import { createCookie, type RouterContextProvider } from "react-router";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { isUniqueViolation } from "../../db/database-errors.server.ts";
import { MINUTE_MS, MINUTE_SECONDS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { appendCookie } from "../sessions/session.server.ts";
import { COOKIE_NAMES } from "../../http/request-cookies.server.ts";

const CHALLENGE_BYTES = 32;
const CHALLENGE_LIFETIME_MINUTES = 5;
export const CHALLENGE_LIFETIME_MS = CHALLENGE_LIFETIME_MINUTES * MINUTE_MS;

/** The purpose of a challenge. All except a sign-in are tied to one session. */
export type ChallengeScope = { purpose: "sign-in" } | { purpose: "add" | "confirm"; sid: string };

/** `until` is in ms since 1970; `binding` names the purpose and the session, without revealing the session's id. */
type IssuedChallenge = { challenge: string; until: number; binding: string };

const cookie = createCookie(COOKIE_NAMES.passkeyChallenge, {
  httpOnly: true,
  sameSite: "strict",
  path: "/",
  secure: env.isPublic,
  secrets: env.sessionSecrets,
  maxAge: CHALLENGE_LIFETIME_MINUTES * MINUTE_SECONDS,
});

/**
 * Creates a challenge (base64url) for one use within five minutes, and sets the cookie that ties it to this browser.
 */
export async function issueChallenge(context: Readonly<RouterContextProvider>, scope: ChallengeScope): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString("base64url");
  const until = now().getTime() + CHALLENGE_LIFETIME_MS;
  const issued: IssuedChallenge = { challenge, until, binding: challengeBinding(scope) };
  appendCookie(context, await cookie.serialize(issued));
  return challenge;
}

/**
 * Consumes and returns the challenge of a Cookie header; only one of several concurrent calls gets it. Returns null
 * unless the cookie has our signature and the challenge was created for the same purpose and session, has not expired
 * and has not been used.
 */
export async function consumeChallenge(cookieHeader: string | null, scope: ChallengeScope): Promise<string | null> {
  const issued = (await cookie.parse(cookieHeader).catch(() => null)) as IssuedChallenge | null;
  if (typeof issued?.until !== "number" || issued.until <= now().getTime()) return null;
  if (issued.binding !== challengeBinding(scope)) return null;
  const { challenge, until } = issued;
  const hash = createHash("sha256").update(`passkey challenge ${challenge}`).digest("base64url");
  try {
    await db.usedPasskeyChallenge.create({ data: { hash, expiresAt: new Date(until) }, select: { hash: true } });
    return challenge;
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

function challengeBinding(scope: ChallengeScope): string {
  const session = "sid" in scope ? createHash("sha256").update(`session ${scope.sid}`).digest("base64url") : "";
  return `${scope.purpose} ${session}`;
}
