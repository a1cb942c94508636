import { auditFailedSignIn } from "./failed-sign-in.server.ts";
import type { RouterContextProvider } from "react-router";
import { db } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { accepted, invalidField, type Outcome, refused } from "../../http/outcome.ts";
import type { Notice } from "../../ui/toast.ts";
import { notDueForErasureCondition } from "../revoke-account-access.server.ts";
import { waitForAdministratorCreation } from "../create-administrator.server.ts";
import { type KnownDevice, matchKnownDevice } from "../known-device.server.ts";
import { createRequiredPasswordChangePath } from "../passwords/password-reset.server.ts";
import { checkPasswordStrength } from "../passwords/password-strength.server.ts";
import { verifyPassword } from "../passwords/password-hashing.server.ts";
import type { PendingSignIn } from "../second-factor/pending-sign-in.server.ts";
import { consumeSecondFactorCode } from "../second-factor/second-factor.server.ts";
import { createFlash } from "../sessions/flash.server.ts";
import { startSession } from "../sessions/session.server.ts";
import { consumeSignInLimits } from "./credential-limits.server.ts";
import { type Account, ACCOUNT_SELECT } from "../account.server.ts";

const INVALID_CREDENTIALS_MESSAGE = "Invalid email or password.";
/** Shown only after the correct password or passkey, so that other people do not learn that the account is closed. */
export const accountClosedRefusal = refused(
  "forbidden",
  "This account is closed. Please call us if you would like it opened again.",
);

const passwordTooWeakRefusal = refused(
  "forbidden",
  "Your password is too weak for a public site. Sign in on the website, which asks you for a new one.",
);

const WRONG_CODE_MESSAGE = "That code isn't right, or it was already used. Wait for the next one and try again.";
const CONCURRENT_CHANGE_MESSAGE = "How this account signs in was changed just now. Please sign in again.";
export const CODE_REQUIRED_MESSAGE = "Enter the code from your authenticator app.";

/** A person whose password or passkey was correct, with the account's version before that, for `completeSignIn`. */
export type VerifiedCredentials = {
  account: Account;
  accessVersion: number;
  needsCode: boolean;
  /** True if the account has not signed in before on this device. */
  isNewDevice: boolean;
  /**
   * True for the administrator of a public site whose password a public site would refuse, because it was chosen on a
   * local one: a new one must be chosen before a session starts.
   */
  isPasswordTooWeak: boolean;
};
export type SignInSource = { ip: string; device: KnownDevice | null };

/**
 * Verifies an email address and password, and the code if there is a second factor: `needsCode` is true if the code is
 * still missing. A wrong code counts like a wrong password. An unknown address and a wrong password get the same
 * response in the same time. For the limits see credential-limits.server.ts.
 */
export async function verifySignIn(
  fields: { email: string; password: string; code?: string | null },
  { ip, device }: SignInSource,
): Promise<Outcome<VerifiedCredentials>> {
  await waitForAdministratorCreation();
  // An account that is due for erasure counts as erased even before the job has run.
  const user = await db.user.findFirst({
    where: { email: fields.email, ...notDueForErasureCondition() },
    select: { ...ACCOUNT_SELECT, password: true, accessVersion: true, closedAt: true },
  });
  const allowedAttempt = await consumeSignInLimits(fields.email, ip, matchKnownDevice(device, user));
  if (!allowedAttempt.ok) return allowedAttempt;
  // Unknown devices have a separate queue, so that they can't delay the known ones.
  const isRecognized = allowedAttempt.isKnownDevice;
  const account = `${isRecognized ? "known device" : "new device"} ${fields.email}`;
  const passwordVerification = await verifyPassword(fields.password, user?.password ?? null, {
    ip,
    account,
    isRecognized,
  });
  if (!passwordVerification.ok) return passwordVerification;
  const codeResult =
    user && passwordVerification.value ? await consumeSecondFactorCode(user.id, fields.code) : "invalid";
  if (codeResult === "invalid")
    await auditFailedSignIn(passwordVerification.value ? "sign-in-code-failed" : "sign-in-failed", user, ip);
  const rateLimitRefusal = await allowedAttempt.recordResult(codeResult !== "invalid");
  if (rateLimitRefusal) return rateLimitRefusal;
  if (!user || !passwordVerification.value) return refused("unauthorized", INVALID_CREDENTIALS_MESSAGE);
  const { password: _, accessVersion, closedAt, ...columns } = user;
  if (closedAt) return accountClosedRefusal;
  if (codeResult === "invalid") return refused("unauthorized", WRONG_CODE_MESSAGE);
  return accepted({
    account: columns,
    accessVersion,
    needsCode: codeResult === "code-required",
    isNewDevice: !allowedAttempt.isKnownDevice,
    isPasswordTooWeak:
      env.isPublic && user.isAdmin && checkPasswordStrength(fields.password, "password", user) !== null,
  });
}

/**
 * Verifies the code of a sign-in whose password was correct; counted like a password. Refusals: unauthorized (wrong
 * code, or access to the account was revoked in the meantime), forbidden (the account was closed), tooMany.
 */
export async function verifySignInCode(
  pendingSignIn: PendingSignIn,
  code: string,
  { ip, device }: SignInSource,
): Promise<Outcome<VerifiedCredentials>> {
  const user = await db.user.findFirst({
    where: { id: pendingSignIn.userId, ...notDueForErasureCondition() },
    select: { ...ACCOUNT_SELECT, password: true, accessVersion: true, closedAt: true },
  });
  if (user?.accessVersion !== pendingSignIn.accessVersion) return refused("unauthorized", "Please start again.");
  const { password: _, accessVersion, closedAt, ...account } = user;
  if (closedAt) return accountClosedRefusal;
  const allowedAttempt = await consumeSignInLimits(account.email, ip, matchKnownDevice(device, user));
  if (!allowedAttempt.ok) return allowedAttempt;
  const codeResult = await consumeSecondFactorCode(account.id, code);
  const isCodeCorrect = codeResult === "valid" || codeResult === "not-enrolled";
  if (!isCodeCorrect) {
    await auditFailedSignIn("sign-in-code-failed", account, ip);
  }
  const rateLimitRefusal = await allowedAttempt.recordResult(isCodeCorrect);
  if (rateLimitRefusal || !isCodeCorrect) return rateLimitRefusal ?? invalidField("code", WRONG_CODE_MESSAGE);
  return accepted({
    account,
    accessVersion,
    needsCode: false,
    isNewDevice: !allowedAttempt.isKnownDevice,
    isPasswordTooWeak: pendingSignIn.isPasswordTooWeak,
  });
}

/**
 * Returns the path at which the person must choose a new password before a session starts; null if the password is
 * strong enough. For credentials whose code, if one is needed, was correct. Refusal: unauthorized, as in
 * `completeSignIn`.
 */
export async function createPasswordChangePathIfWeak({
  account,
  accessVersion,
  needsCode,
  isPasswordTooWeak,
}: VerifiedCredentials): Promise<Outcome<string> | null> {
  if (!isPasswordTooWeak || needsCode) return null;
  const path = await createRequiredPasswordChangePath(account.id, accessVersion);
  return path === null ? refused("unauthorized", CONCURRENT_CHANGE_MESSAGE) : accepted(path);
}

/**
 * Starts the session of verified credentials, never while a code is missing. `sharedDevice`: the device is not the
 * person's own. Refusal: unauthorized, if access to the account was revoked in the meantime: by a new password, say, or
 * because the passkey was removed or a second factor set up. Refusal: forbidden, if the password is too weak
 * (`createPasswordChangePathIfWeak`).
 */
export async function completeSignIn(
  context: Readonly<RouterContextProvider>,
  { account, accessVersion, needsCode, isNewDevice, isPasswordTooWeak }: VerifiedCredentials,
  {
    notice,
    sharedDevice,
    service = null,
  }: { notice?: Notice; sharedDevice?: boolean | null; service?: string | null } = {},
): Promise<Outcome<Account>> {
  if (needsCode) return refused("unauthorized", CODE_REQUIRED_MESSAGE);
  if (isPasswordTooWeak) return passwordTooWeakRefusal;
  const isSessionStarted = await startSession(context, account, {
    notices: notice && [createFlash(notice)],
    accessVersion,
    isShared: sharedDevice ?? false,
    chosenService: service,
    isNewDevice,
  });
  return isSessionStarted ? accepted(account) : refused("unauthorized", CONCURRENT_CHANGE_MESSAGE);
}
