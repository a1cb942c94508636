import { recordFailedSignIn } from "./failed-sign-in.server.ts";
import { recordAudit } from "../audit/record.server.ts";
import type { RouterContextProvider } from "react-router";
import { now } from "../clock.ts";
import { db, inTransaction, type Transaction } from "../db/client.server.ts";
import { isUniqueViolation } from "../db/errors.server.ts";
import { HOUR_SECONDS } from "../duration.ts";
import { networkLimit } from "../http/rate-limit.server.ts";
import { accepted, invalidField, type Outcome, refused } from "../http/outcome.ts";
import { TERMS_VERSION } from "../practice/site-content.ts";
import type { Notice } from "../ui/notice.ts";
import { replacePassword, accessDeniedRefusal, notDueForErasure } from "./account-access.server.ts";
import { waitForAdministrator } from "./administrator.server.ts";
import { countWrongPassword } from "./passwords/wrong-passwords.server.ts";
import { notifyAccountMade } from "./email/confirm-email.server.ts";
import { isAddressTaken } from "./email/taken-address.server.ts";
import type { KnownDevice } from "./known-device.server.ts";
import { hashPassword, verifyPassword } from "./passwords/password.server.ts";
import { rejectWeakPassword } from "./passwords/weak-passwords.server.ts";
import { verifyOwnPassword, wrongOwnPasswordRefusal } from "./passwords/own-password.server.ts";
import { isPasswordUnchanged, type PendingSignIn } from "./second-factor/pending-sign-in.server.ts";
import { consumeSecondFactorCode } from "./second-factor/second-factor.server.ts";
import { type Person, PERSON_COLUMNS } from "./person.ts";
import { createFlash } from "./sessions/flash.server.ts";
import { startSession } from "./sessions/session.server.ts";
import type { PasswordChange, Registration } from "./schemas.ts";
import { admitSignIn } from "./sign-in-limits.server.ts";

const registrationLimit = networkLimit("register", 5, HOUR_SECONDS);

export const ACCOUNT_COLUMNS = { ...PERSON_COLUMNS, profileImageUrl: true, createdAt: true, updatedAt: true } as const;

const emailTaken = refused("conflict", "An account with this email address already exists. Please sign in instead.");
const INVALID_CREDENTIALS = "Invalid email or password.";
/** Shown only after the right password or passkey, so that nobody else learns that the account is closed. */
export const accountClosed = refused(
  "forbidden",
  "This account is closed. Please call us if you would like it opened again.",
);

const WRONG_CODE = "That code isn't right, or it was already used. Wait for the next one and try again.";
export const CODE_NEEDED = "Enter the code from your authenticator app.";

/** A person whose password or passkey was right, with the password's hash, which `completeSignIn` compares. */
export type VerifiedCredentials = {
  account: Account;
  passwordHash: string;
  needsCode: boolean;
  /** The account has not signed in before on this device. */
  isNewDevice: boolean;
};
export type SignInSource = { ip: string; device: KnownDevice | null };

/** A user as seen by its owner, without the password hash. */
export type Account = Person & { profileImageUrl: string | null; createdAt: Date; updatedAt: Date };

/**
 * Creates a client's account; never an administrator's. Stores that the terms in force were accepted. `ip` is the
 * client's, for the limit of 5 an hour (15 for an IPv6 /56, 50 for a /48). Refusals: conflict (the address is taken), invalid (common password), tooMany.
 */
export async function register(fields: Registration, ip: string): Promise<Outcome<Account>> {
  const refusal = rejectWeakPassword(fields.password, "password") ?? (await registrationLimit.consume(ip));
  return refusal ?? createAccount(fields, ip, notifyAccountMade);
}

/**
 * Creates the account of a registration whose password and network were checked; `whenMade` runs in its transaction.
 * Refusals: conflict (the address is taken), tooMany (passwords that wait to be hashed).
 */
export async function createAccount(
  { firstName, lastName, email, phone, password }: Registration,
  ip: string,
  whenMade: (transaction: Transaction, account: Account) => Promise<unknown>,
): Promise<Outcome<Account>> {
  if (await isAddressTaken(email)) return emailTaken;
  const hash = await hashPassword(password, { ip, account: email });
  if (!hash.ok) return hash;
  try {
    const data = {
      firstName,
      lastName,
      email,
      phone: phone ?? null,
      password: hash.value,
      isClient: true,
      isAdmin: false,
      createdAt: now(),
      termsVersion: TERMS_VERSION,
      termsAcceptedAt: now(),
    };
    return await inTransaction(async (transaction) => {
      const account = await transaction.user.create({ data, select: ACCOUNT_COLUMNS });
      const { id } = account;
      recordAudit(transaction, { action: "account-made", actorId: id, familyId: id, objectId: id });
      await whenMade(transaction, account);
      return accepted(account);
    });
  } catch (error) {
    if (isUniqueViolation(error, "email")) return emailTaken;
    throw error;
  }
}

/**
 * Verifies an email address and password, and the code where there is a second factor: `needsCode` if it is still to be
 * given. A wrong code counts like a wrong password. An unknown address and a wrong password get the same response in the same
 * time. For the limits see sign-in-limits.server.ts.
 */
export async function verifySignIn(
  fields: { email: string; password: string; code?: string | null },
  { ip, device }: SignInSource,
): Promise<Outcome<VerifiedCredentials>> {
  const admitted = await admitSignIn(fields.email, ip, device);
  if (!admitted.ok) return admitted;
  await waitForAdministrator();
  // Unknown devices have a queue of their own, so that they can't delay the known ones.
  const account = `${admitted.isKnownDevice ? "known device" : "new device"} ${fields.email}`;
  // An account whose time is over counts as erased, also before the job has run.
  const user = await db.user.findFirst({
    where: { email: fields.email, ...notDueForErasure() },
    select: { ...ACCOUNT_COLUMNS, password: true, closedAt: true },
  });
  const matches = await verifyPassword(fields.password, user?.password ?? null, { ip, account });
  if (!matches.ok) return matches;
  const factor = user && matches.value ? await consumeSecondFactorCode(user.id, fields.code) : "wrong";
  if (user && factor === "wrong") countWrongPassword(user.id);
  const tooMany = await admitted.recordResult(factor !== "wrong");
  if (tooMany) return tooMany;
  if (!user || !matches.value) {
    await recordFailedSignIn("sign-in-failed", user, ip);
    return refused("unauthorized", INVALID_CREDENTIALS);
  }
  const { password, closedAt, ...columns } = user;
  if (closedAt) return accountClosed;
  if (factor === "wrong") {
    await recordFailedSignIn("sign-in-code-failed", user, ip);
    return refused("unauthorized", WRONG_CODE);
  }
  return accepted({
    account: columns,
    passwordHash: password,
    needsCode: factor === "missing",
    isNewDevice: !admitted.isKnownDevice,
  });
}

/**
 * Verifies the code of a sign-in whose password was right; counted like a password. Refusals: unauthorized (wrong code,
 * or the password was changed meanwhile), forbidden (the account was closed), tooMany.
 */
export async function verifySignInCode(
  pending: PendingSignIn,
  code: string,
  { ip, device }: SignInSource,
): Promise<Outcome<VerifiedCredentials>> {
  const user = await db.user.findFirst({
    where: { id: pending.userId, ...notDueForErasure() },
    select: { ...ACCOUNT_COLUMNS, password: true, closedAt: true },
  });
  if (!user || !isPasswordUnchanged(pending, user.password)) return refused("unauthorized", "Please start again.");
  const { password, closedAt, ...account } = user;
  if (closedAt) return accountClosed;
  const admitted = await admitSignIn(account.email, ip, device);
  if (!admitted.ok) return admitted;
  const factor = await consumeSecondFactorCode(account.id, code);
  const isRight = factor === "right" || factor === "absent";
  if (!isRight) {
    countWrongPassword(account.id);
    await recordFailedSignIn("sign-in-code-failed", account, ip);
  }
  const tooMany = await admitted.recordResult(isRight);
  if (tooMany || !isRight) return tooMany ?? invalidField("code", WRONG_CODE);
  return accepted({ account, passwordHash: password, needsCode: false, isNewDevice: !admitted.isKnownDevice });
}

/**
 * Starts the session of verified credentials, never while a code is missing; `sharedDevice` says that the device is not the person's own. Refusal:
 * unauthorized, if the password was changed meanwhile.
 */
export async function completeSignIn(
  context: Readonly<RouterContextProvider>,
  { account, passwordHash, needsCode, isNewDevice }: VerifiedCredentials,
  {
    notice,
    sharedDevice,
    service = null,
  }: { notice?: Notice; sharedDevice?: boolean | null; service?: string | null } = {},
): Promise<Outcome<Account>> {
  if (needsCode) return refused("unauthorized", CODE_NEEDED);
  const isStarted = await startSession(context, account, {
    notices: notice && [createFlash(notice)],
    hash: passwordHash,
    isShared: sharedDevice ?? false,
    chosenService: service,
    isNewDevice,
  });
  return isStarted ? accepted(account) : refused("unauthorized", INVALID_CREDENTIALS);
}

/**
 * Sets a new password. Ends every reset link and every session of the person except `sid`. Refusals: invalid, tooMany.
 */
export async function changePassword(
  person: Person,
  fields: PasswordChange,
  { sid, ip }: { sid: string; ip: string },
): Promise<Outcome<null>> {
  const weak = rejectWeakPassword(fields.newPassword, "newPassword", person);
  if (weak) return weak;
  const verified = await verifyOwnPassword(person, fields.currentPassword, { ip, field: "currentPassword" });
  if (!verified.ok) return verified;
  const hash = await hashPassword(fields.newPassword, { ip, account: `signed in ${person.id}` });
  if (!hash.ok) return hash;
  // Of concurrent changes only the first succeeds: for the others the current password has changed.
  const isReplaced = await replacePassword(person.id, hash.value, { expected: verified.value, exceptSid: sid });
  return isReplaced ? accepted(null) : wrongOwnPasswordRefusal("currentPassword");
}

/** The signed-in person's own account. */
export async function findOwnAccount(person: Person): Promise<Account> {
  return db.user.findUniqueOrThrow({ where: { id: person.id }, select: ACCOUNT_COLUMNS });
}

/** Returns any user for the administrator, and a client's own account. Refusals: notFound, forbidden. */
export async function findUser(person: Person, id: number | null) {
  if (!person.isAdmin && id !== person.id) return accessDeniedRefusal();
  const select = { id: true, firstName: true, lastName: true, email: true, isClient: true, isAdmin: true } as const;
  const user = id === null ? null : await db.user.findUnique({ where: { id }, select });
  return user ? accepted(user) : refused("notFound", "There is no such user.");
}
