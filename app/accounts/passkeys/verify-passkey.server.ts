import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { notDueForErasureCondition } from "../revoke-account-access.server.ts";
import { readPendingSignIn } from "../second-factor/pending-sign-in.server.ts";
import { accountClosedRefusal, type SignInSource, type VerifiedCredentials } from "../sign-in/sign-in.server.ts";
import { ACCOUNT_SELECT } from "../account.server.ts";
import { auditFailedSignIn } from "../sign-in/failed-sign-in.server.ts";
import { consumePasskeyLimits, consumeReauthenticationLimits } from "../sign-in/credential-limits.server.ts";
import { matchKnownDevice } from "../known-device.server.ts";
import type { Session } from "../sessions/session-store.server.ts";
import { type ChallengeScope, consumeChallenge } from "./passkey-challenge.server.ts";
import type { AssertionCredential } from "./passkey-credential-schemas.ts";
import { verifyAssertionAndReadCounter } from "./webauthn.server.ts";

const passkeyRefusal = refused("unauthorized", "That passkey did not work. Try again, or sign in with your password.");
const confirmationRefusal = refused("invalid", "That passkey did not work. Please try again.");

/**
 * `cloned`: the device counts its uses, and this count was not higher than the last one, so another device has the same
 * key.
 */
type PasskeyCheckResult = "valid" | "invalid" | "cloned";
type StoredPasskey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

const FAILURE_ACTIONS = { invalid: "sign-in-passkey-failed", cloned: "sign-in-passkey-copied" } as const;

/**
 * Verifies a passkey in place of email address, password and code. It has limits separate from those of passwords, and
 * is recorded like a password sign-in. `cookieHeader` contains the cookie of the challenge. Refusals: unauthorized
 * (also for a removed passkey), forbidden (the account is closed), tooMany.
 */
export async function verifyPasskeySignIn(
  assertion: AssertionCredential,
  cookieHeader: string | null,
  { ip, device }: SignInSource,
): Promise<Outcome<VerifiedCredentials>> {
  const passkey = await findPasskey(assertion.id);
  const user = passkey?.user ?? null;
  const knownDevice = matchKnownDevice(device, user);
  const allowedAttempt = await consumePasskeyLimits(ip, knownDevice);
  if (!allowedAttempt.ok) return allowedAttempt;
  const checkResult = await verifyPasskeyAndConsumeChallenge(passkey, assertion, cookieHeader, { purpose: "sign-in" });
  if (checkResult !== "valid") await auditFailedSignIn(FAILURE_ACTIONS[checkResult], passkey?.user ?? null, ip);
  const rateLimitRefusal = await allowedAttempt.recordResult(checkResult === "valid");
  if (rateLimitRefusal) return rateLimitRefusal;
  if (!passkey || checkResult !== "valid") return passkeyRefusal;
  const { password: _, accessVersion, closedAt, ...account } = passkey.user;
  if (closedAt) return accountClosedRefusal;
  const pending = await readPendingSignIn(cookieHeader);
  return accepted({
    account,
    accessVersion,
    needsCode: false,
    isNewDevice: knownDevice === null,
    // Known only if the password was entered before the passkey.
    isPasswordTooWeak: pending?.userId === account.id && pending.isPasswordTooWeak,
  });
}

/**
 * Verifies a passkey of the signed-in person, in place of the password or code. `cookieHeader` contains the cookie of
 * the challenge, which was created in the same session. Refusals: invalid, tooMany.
 */
export async function verifyOwnPasskey(
  { person, sid }: Pick<Session, "person" | "sid">,
  assertion: AssertionCredential,
  { cookieHeader, ip }: { cookieHeader: string | null; ip: string },
): Promise<Outcome<null>> {
  const allowedAttempt = await consumeReauthenticationLimits(person.id, sid);
  if (!allowedAttempt.ok) return allowedAttempt;
  const found = await findPasskey(assertion.id);
  const own = found?.user.id === person.id ? found : null;
  const checkResult = await verifyPasskeyAndConsumeChallenge(own, assertion, cookieHeader, { purpose: "confirm", sid });
  if (checkResult !== "valid") {
    await auditFailedSignIn(FAILURE_ACTIONS[checkResult], person, ip);
  }
  const rateLimitRefusal = await allowedAttempt.recordResult(checkResult === "valid");
  if (rateLimitRefusal) return rateLimitRefusal;
  return own && checkResult === "valid" ? accepted(null) : confirmationRefusal;
}

/** Checks a passkey's response to the challenge. Consumes the challenge, whatever the result. */
async function verifyPasskeyAndConsumeChallenge(
  passkey: StoredPasskey | null,
  assertion: AssertionCredential,
  cookieHeader: string | null,
  scope: ChallengeScope,
): Promise<PasskeyCheckResult> {
  const challenge = await consumeChallenge(cookieHeader, scope);
  if (!challenge || !passkey) return "invalid";
  const counter = await verifyAssertionAndReadCounter(assertion, challenge, { ...passkey, owner: passkey.user });
  if (counter === null) return "invalid";
  // Compared and stored in one statement, so that only one of two devices with the same count succeeds.
  const counterCondition = counter === 0 ? { counter: 0 } : { counter: { lt: counter } };
  const { count } = await db.passkey.updateMany({
    where: { id: passkey.id, ...counterCondition },
    data: { counter, lastUsedAt: now() },
  });
  return count === 1 ? "valid" : "cloned";
}

/** Finds a passkey with its account, unless the account counts as erased. */
function findPasskey(credentialId: string) {
  return db.passkey.findFirst({
    where: { credentialId, user: notDueForErasureCondition() },
    select: {
      id: true,
      credentialId: true,
      publicKey: true,
      user: { select: { ...ACCOUNT_SELECT, password: true, accessVersion: true, closedAt: true } },
    },
  });
}
