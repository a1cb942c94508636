import { now } from "../../clock.ts";
import { db } from "../../db/client.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { notDueForErasureCondition } from "../account-access.server.ts";
import { readPendingSignIn } from "../second-factor/pending-sign-in.server.ts";
import { accountClosedRefusal, type SignInSource, type VerifiedCredentials } from "../sign-in/sign-in.server.ts";
import { ACCOUNT_SELECT } from "../account.server.ts";
import { recordFailedSignIn } from "../sign-in/failed-sign-in.server.ts";
import { consumePasskeyLimits, consumeReauthenticationLimits } from "../sign-in/credential-limits.server.ts";
import { matchKnownDevice } from "../known-device.server.ts";
import type { Session } from "../sessions/session-store.server.ts";
import { type ChallengeScope, consumeChallenge } from "./challenge.server.ts";
import type { AssertionCredential } from "./credential-schemas.ts";
import { verifyAssertion } from "./webauthn.server.ts";

const passkeyRefusal = refused("unauthorized", "That passkey did not work. Try again, or sign in with your password.");
const confirmationRefusal = refused("invalid", "That passkey did not work. Please try again.");

/**
 * `cloned`: the device counts its uses, and this count was not higher than the last one, so another device has the same
 * key.
 */
type PasskeyResult = "valid" | "invalid" | "cloned";
type StoredPasskey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

const FAILURES = { invalid: "sign-in-passkey-failed", cloned: "sign-in-passkey-copied" } as const;

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
  const allowed = await consumePasskeyLimits(ip, knownDevice);
  if (!allowed.ok) return allowed;
  const check = await checkPasskey(passkey, assertion, cookieHeader, { purpose: "sign-in" });
  if (check !== "valid") await recordFailedSignIn(FAILURES[check], passkey?.user ?? null, ip);
  const rateLimitRefusal = await allowed.recordResult(check === "valid");
  if (rateLimitRefusal) return rateLimitRefusal;
  if (!passkey || check !== "valid") return passkeyRefusal;
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
  const allowed = await consumeReauthenticationLimits(person.id, sid);
  if (!allowed.ok) return allowed;
  const found = await findPasskey(assertion.id);
  const own = found?.user.id === person.id ? found : null;
  const check = await checkPasskey(own, assertion, cookieHeader, { purpose: "confirm", sid });
  if (check !== "valid") {
    await recordFailedSignIn(FAILURES[check], person, ip);
  }
  const rateLimitRefusal = await allowed.recordResult(check === "valid");
  if (rateLimitRefusal) return rateLimitRefusal;
  return check === "valid" ? accepted(null) : confirmationRefusal;
}

/** Checks a passkey's response to the challenge. Consumes the challenge, whatever the result. */
async function checkPasskey(
  passkey: StoredPasskey | null,
  assertion: AssertionCredential,
  cookieHeader: string | null,
  use: ChallengeScope,
): Promise<PasskeyResult> {
  const challenge = await consumeChallenge(cookieHeader, use);
  if (!challenge || !passkey) return "invalid";
  const counter = await verifyAssertion(assertion, challenge, { ...passkey, owner: passkey.user });
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
