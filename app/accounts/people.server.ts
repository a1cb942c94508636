import type { RouterContextProvider } from "react-router";
import { db } from "../db/client.server.ts";
import { isUniqueViolation } from "../db/errors.server.ts";
import { env } from "../env.server.ts";
import { networkLimit } from "../http/rate-limit.server.ts";
import { accepted, invalid, type Outcome, refused } from "../http/outcome.ts";
import type { Notice } from "../ui/notice.ts";
import { replacePassword, accessDenied } from "./access.server.ts";
import { administratorReady } from "./administrator.server.ts";
import { rejectCommonPassword } from "./passwords/common-passwords.server.ts";
import { recordWrongPassword } from "./passwords/wrong-passwords.server.ts";
import type { KnownDevice } from "./known-device.server.ts";
import { hashPassword, verifyPassword } from "./passwords/password.server.ts";
import { type Person, PERSON_COLUMNS } from "./person.ts";
import { createFlash } from "./sessions/flash.server.ts";
import { startSession } from "./sessions/session.server.ts";
import type { PasswordChange, Registration } from "./schemas.ts";
import { admitPasswordChange, admitSignIn } from "./sign-in-limits.server.ts";

const HOUR_SECONDS = 60 * 60;

const registrationLimit = networkLimit("register", 5, HOUR_SECONDS);

const ACCOUNT_COLUMNS = { ...PERSON_COLUMNS, profileImageUrl: true, createdAt: true, updatedAt: true } as const;

const INVALID_CREDENTIALS = "Invalid email or password.";
/** Said only after the right password, so that nobody else learns of it. */
const CLOSED = "This account is closed. Please call us if you would like it opened again.";

/** Who may sign in, and the hash that said so, which goes no further than `openSession`. */
type VerifiedCredentials = { account: Account; password: string };

/** A user as its owner sees it; never with a password. */
export type Account = Person & { profileImageUrl: string | null; createdAt: Date; updatedAt: Date };

/**
 * Makes a client's account. Refused as a conflict when the address is taken, the consultant's included; whoever
 * registers is never an administrator (decisions §5.1). `address` is the visitor's, for the limit of 5 an hour (15 of a /56, 50 of a /48).
 */
export async function register(fields: Registration, ip: string): Promise<Outcome<Account>> {
  const refusal = rejectCommonPassword(fields.password, "password") ?? (await registrationLimit.consume(ip));
  if (refusal) return refusal;
  const { firstName, lastName, email, phone } = fields;
  const emailTaken = refused("conflict", "An account with this email address already exists. Please sign in instead.");
  if (email === env.adminEmail || (await db.user.findUnique({ where: { email }, select: { id: true } })))
    return emailTaken;
  const hash = await hashPassword(fields.password, { ip, account: email });
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
    };
    return accepted(await db.user.create({ data, select: ACCOUNT_COLUMNS }));
  } catch (error) {
    if (isUniqueViolation(error, "email")) return emailTaken;
    throw error;
  }
}

/**
 * Checks an e-mail address and password. An unknown address and a wrong password get the same answer in the same
 * time. Who may try how often stands in sign-in-limits.server.ts.
 */
export async function signIn(
  fields: { email: string; password: string },
  { address: ip, device }: { address: string; device: KnownDevice | null },
): Promise<Outcome<VerifiedCredentials>> {
  const admitted = await admitSignIn(fields.email, ip, device);
  if (!admitted.ok) return admitted;
  await administratorReady();
  // Devices that the account does not know can't take the places of those that it does.
  const account = `${admitted.isKnownDevice ? "known device" : "new device"} ${fields.email}`;
  const user = await db.user.findUnique({
    where: { email: fields.email },
    select: { ...ACCOUNT_COLUMNS, password: true, closedAt: true },
  });
  const matches = await verifyPassword(fields.password, user?.password ?? null, { ip, account });
  if (!matches.ok) return matches;
  if (user && !matches.value) recordWrongPassword(user.id);
  const tooMany = await admitted.judge(matches.value);
  if (tooMany) return tooMany;
  if (!user || !matches.value) return refused("unauthorized", INVALID_CREDENTIALS);
  const { password, closedAt, ...columns } = user;
  if (closedAt) return refused("forbidden", CLOSED);
  return accepted({ account: columns, password });
}

/** Signs in whom `signIn` let in. Comparing takes its time: a password that was changed meanwhile opens nothing any more. */
export async function completeSignIn(
  context: Readonly<RouterContextProvider>,
  { account, password }: VerifiedCredentials,
  notice?: Notice,
): Promise<Outcome<Account>> {
  const isStarted = await startSession(context, account, {
    notices: notice && [createFlash(notice)],
    hash: password,
  });
  return isStarted ? accepted(account) : refused("unauthorized", INVALID_CREDENTIALS);
}

/**
 * Sets a new password. Every reset link and every other session of the person ends; the one of `sid` goes on.
 * `address` is the visitor's: its network waits for its own passwords.
 */
export async function changePassword(
  person: Person,
  fields: PasswordChange,
  { sid, address }: { sid: string; address: string },
): Promise<Outcome<null>> {
  const common = rejectCommonPassword(fields.newPassword, "newPassword");
  if (common) return common;
  const admitted = await admitPasswordChange(person.id);
  if (!admitted.ok) return admitted;
  const user = await db.user.findUniqueOrThrow({ where: { id: person.id }, select: { password: true } });
  const source = { ip: address, account: `signed in ${person.id}` };
  const matches = await verifyPassword(fields.currentPassword, user.password, source);
  if (!matches.ok) return matches;
  const wrongPassword = invalid("currentPassword", "The current password is not right.");
  if (!matches.value) recordWrongPassword(person.id);
  const tooMany = await admitted.judge(matches.value);
  if (tooMany || !matches.value) return tooMany ?? wrongPassword;
  const hash = await hashPassword(fields.newPassword, source);
  if (!hash.ok) return hash;
  // Of several changes at once the first is made: to the others the password is another one by now.
  const isReplaced = await replacePassword(person.id, hash.value, { expected: user.password, exceptSid: sid });
  return isReplaced ? accepted(null) : wrongPassword;
}

/** The signed-in person's own account. */
export async function findOwnAccount(person: Person): Promise<Account> {
  return db.user.findUniqueOrThrow({ where: { id: person.id }, select: ACCOUNT_COLUMNS });
}

/** A user as the administrator sees any, and a client only itself; another's is not found, or not theirs to see. */
export async function findUser(person: Person, id: number | null) {
  if (!person.isAdmin && id !== person.id) return accessDenied();
  const select = { id: true, firstName: true, lastName: true, email: true, isClient: true, isAdmin: true } as const;
  const user = id === null ? null : await db.user.findUnique({ where: { id }, select });
  return user ? accepted(user) : refused("notFound", "There is no such user.");
}
