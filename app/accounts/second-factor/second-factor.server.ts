import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { randomBytes } from "node:crypto";
import { encode } from "uqr";
import { now } from "../../clock.ts";
import { db, inTransaction } from "../../db/database-client.server.ts";
import { MINUTE_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { accepted, invalidField, type Outcome, refused } from "../../http/outcome.ts";
import { deleteSecondFactor } from "../revoke-account-access.server.ts";
import { lockAccountRow } from "../lock-account-row.server.ts";
import { notSignedInRefusal } from "../authorization.server.ts";
import { notifyAccountChanged } from "../email/account-notifications.server.ts";
import { auditFailedSignIn } from "../sign-in/failed-sign-in.server.ts";
import { verifyOwnPassword } from "../passwords/own-password.server.ts";
import { familyIdOf, type Person } from "../person.ts";
import { consumeReauthenticationLimits, type ReauthenticationSource } from "../sign-in/credential-limits.server.ts";
import { changeSignInMethodsAndRevokeAccess } from "./change-sign-in-methods.server.ts";
import { normalizeRecoveryCode, replaceRecoveryCodes, consumeRecoveryCode } from "./recovery-codes.server.ts";
import { findTimeStep, toBase32 } from "./totp.server.ts";

const SECRET_BYTES = 20;
/** How long a secret can be confirmed after it was created. */
const SETUP_LIFETIME_MS = 15 * MINUTE_MS;

const WRONG_CODE_MESSAGE = "That code isn't right, or it was already used. Wait for the next one and try again.";
const secondFactorActiveRefusal = refused(
  "conflict",
  "The second step is already on. Turn it off before you set it up again.",
);

/** What an authenticator app needs: the secret in base32, and the URI that the QR code shows. */
export type FactorSetup = { secret: string; uri: string };
/** `code-required`: the account has a second factor, and no code was given. */
export type SecondFactorResult = "not-enrolled" | "code-required" | "valid" | "invalid";

/** The authentication factors of an account in addition to its password. */
export type SecondFactorStatus = {
  hasAuthenticatorApp: boolean;
  hasPasskey: boolean;
  /** True if the password alone does not sign in: the app is on, or an administrator has a passkey. */
  needsCode: boolean;
};

export async function findSecondFactorStatus(userId: number): Promise<SecondFactorStatus> {
  const account = await db.user.findUnique({
    where: { id: userId },
    select: { isAdmin: true, secondFactor: { select: { confirmedAt: true } }, _count: { select: { passkeys: true } } },
  });
  const hasAuthenticatorApp = Boolean(account?.secondFactor?.confirmedAt);
  const hasPasskey = (account?._count.passkeys ?? 0) > 0;
  return {
    hasAuthenticatorApp,
    hasPasskey,
    needsCode: hasAuthenticatorApp || (hasPasskey && account?.isAdmin === true),
  };
}

/** Checks whether the password alone does not sign in to the account. False for a family that has only a passkey. */
export async function requiresSecondFactor(userId: number): Promise<boolean> {
  return (await findSecondFactorStatus(userId)).needsCode;
}

/**
 * Returns the state of the person's authenticator app: since when it is active (UTC), the number of unused recovery
 * codes, and whether its setup was begun. Never returns its secret, because any session of the account can read this,
 * including a copied one.
 */
export async function findAuthenticatorAppState(person: Person) {
  const factor = await db.secondFactor.findUnique({ where: { userId: person.id } });
  const isSetupPending =
    factor && !factor.confirmedAt && factor.createdAt.getTime() > now().getTime() - SETUP_LIFETIME_MS;
  return {
    confirmedAt: factor?.confirmedAt ?? null,
    remainingCodeCount: factor?.confirmedAt ? await db.recoveryCode.count({ where: { userId: person.id } }) : 0,
    isSettingUp: Boolean(isSetupPending),
  };
}

/**
 * Creates a secret, which replaces an unconfirmed one and is inactive until `activateSecondFactor`. Refusals: invalid
 * (`password`), conflict (one is active), tooMany, unauthorized (the session has ended in the meantime).
 */
export async function beginSecondFactorSetup(
  person: Person,
  password: string,
  source: ReauthenticationSource,
): Promise<Outcome<FactorSetup>> {
  const verified = await verifyOwnPassword(person, password, { ...source, field: "password" });
  if (!verified.ok) return verified;
  const secret = randomBytes(SECRET_BYTES).toString("base64");
  return inTransaction<Outcome<FactorSetup>>(async (transaction) => {
    if (!(await lockAccountRow(transaction, person.id, { sid: source.sid }))) return notSignedInRefusal();
    await transaction.secondFactor.deleteMany({ where: { userId: person.id, confirmedAt: null } });
    if ((await transaction.secondFactor.count({ where: { userId: person.id } })) > 0) return secondFactorActiveRefusal;
    await transaction.secondFactor.create({ data: { userId: person.id, secret, createdAt: now() } });
    recordAuditInTransaction(transaction, {
      action: "second-factor-set-up",
      familyId: familyIdOf(person),
      objectId: person.id,
    });
    return accepted(buildFactorSetup(person, secret));
  });
}

/** Deletes a secret that is not active yet. */
export async function cancelSecondFactorSetup({ id: userId }: Person): Promise<void> {
  await db.secondFactor.deleteMany({ where: { userId, confirmedAt: null } });
}

/**
 * Activates the secret with a code of the app, ends the account's other sessions, which never entered a code, and
 * returns ten recovery codes, which can't be read again. Refusals: invalid (`code`: wrong, or no setup was begun),
 * conflict (already active), tooMany.
 */
export async function activateSecondFactor(
  person: Person,
  code: string,
  { sid }: ReauthenticationSource,
): Promise<Outcome<{ recoveryCodes: string[] }>> {
  const allowedAttempt = await consumeReauthenticationLimits(person.id, sid);
  if (!allowedAttempt.ok) return allowedAttempt;
  const { id: userId } = person;
  const outcome = await changeSignInMethodsAndRevokeAccess<{ recoveryCodes: string[] }>(
    userId,
    sid,
    async (transaction) => {
      const factor = await transaction.secondFactor.findUnique({ where: { userId } });
      if (factor?.confirmedAt) return secondFactorActiveRefusal;
      if (!factor || factor.createdAt.getTime() <= now().getTime() - SETUP_LIFETIME_MS)
        return invalidField("code", "Start again with your password: this set-up is more than 15 minutes old.");
      const step = findTimeStep(Buffer.from(factor.secret, "base64"), normalizeRecoveryCode(code), now());
      if (step === null) return invalidField("code", WRONG_CODE_MESSAGE);
      await transaction.secondFactor.update({ where: { userId }, data: { confirmedAt: now(), lastStep: step } });
      const recoveryCodes = await replaceRecoveryCodes(transaction, userId);
      recordAuditInTransaction(transaction, {
        action: "second-factor-turned-on",
        familyId: familyIdOf(person),
        objectId: userId,
      });
      await notifyAccountChanged(transaction, userId, "second-step-on");
      return accepted({ recoveryCodes });
    },
  );
  const rateLimitRefusal = await allowedAttempt.recordResult(outcome.ok || outcome.reason !== "invalid");
  return rateLimitRefusal && !outcome.ok ? rateLimitRefusal : outcome;
}

/**
 * Ends the person's own second factor and the account's other sessions. Refusals: invalid (`password`, `code`),
 * notFound (there is none), tooMany.
 */
export async function deactivateSecondFactor(
  person: Person,
  fields: { password: string; code: string },
  source: ReauthenticationSource,
): Promise<Outcome<null>> {
  const verified = await verifyOwnPassword(person, fields.password, { ...source, field: "password" });
  if (!verified.ok) return verified;
  const checked = await verifyOwnSecondFactorCode(person, fields.code, source);
  if (!checked.ok) return checked;
  if (checked.value === "not-enrolled") return refused("notFound", "The second step is not on.");
  return changeSignInMethodsAndRevokeAccess(person.id, source.sid, async (transaction) => {
    await deleteSecondFactor(transaction, person.id);
    await notifyAccountChanged(transaction, person.id, "second-step-off");
    return accepted(null);
  });
}

/**
 * Verifies and consumes the code of a signed-in person if there is a second factor. A wrong code is recorded. Refusals:
 * invalid (`code`), tooMany.
 */
export async function verifyOwnSecondFactorCode(
  person: Person,
  code: string | null | undefined,
  { sid, ip }: ReauthenticationSource,
): Promise<Outcome<"not-enrolled" | "valid">> {
  const allowedAttempt = await consumeReauthenticationLimits(person.id, sid);
  if (!allowedAttempt.ok) return allowedAttempt;
  const codeResult = await consumeSecondFactorCode(person.id, code);
  if (codeResult === "not-enrolled") return accepted(codeResult);
  if (codeResult === "code-required") return invalidField("code", "Enter the code from your authenticator app.");
  if (codeResult === "invalid") {
    await auditFailedSignIn("sign-in-code-failed", person, ip);
  }
  const rateLimitRefusal = await allowedAttempt.recordResult(codeResult === "valid");
  if (rateLimitRefusal || codeResult !== "valid") return rateLimitRefusal ?? invalidField("code", WRONG_CODE_MESSAGE);
  return accepted(codeResult);
}

/** Verifies and consumes a code of the app or a recovery code. Only one of several concurrent uses succeeds. */
export async function consumeSecondFactorCode(
  userId: number,
  code: string | null | undefined,
): Promise<SecondFactorResult> {
  const { hasAuthenticatorApp, needsCode } = await findSecondFactorStatus(userId);
  if (!needsCode) return "not-enrolled";
  const normalizedCode = normalizeRecoveryCode(code ?? "");
  if (normalizedCode === "") return "code-required";
  const factor = hasAuthenticatorApp ? await db.secondFactor.findUnique({ where: { userId } }) : null;
  const step = factor && findTimeStep(Buffer.from(factor.secret, "base64"), normalizedCode, now());
  if (step === null) return (await consumeRecoveryCode(userId, normalizedCode)) ? "valid" : "invalid";
  const where = { userId, lastStep: { lt: step } };
  return (await db.secondFactor.updateMany({ where, data: { lastStep: step } })).count === 1 ? "valid" : "invalid";
}

/** Returns the QR code of a URI: its width in modules, and an SVG path of the dark modules. */
export function qrCode(uri: string): { size: number; path: string } {
  const { size, data } = encode(uri, { border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join("");
  return { size, path };
}

function buildFactorSetup(person: Person, secret: string): FactorSetup {
  const base32 = toBase32(Buffer.from(secret, "base64"));
  const issuer = encodeURIComponent(env.practice.name);
  const label = `${issuer}:${encodeURIComponent(person.email)}`;
  const query = `secret=${base32}&issuer=${issuer}&algorithm=SHA1&digits=6&period=30`;
  return { secret: base32, uri: `otpauth://totp/${label}?${query}` };
}
