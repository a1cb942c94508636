import type { RouterContextProvider } from "react-router";
import { db, isUniqueViolation } from "../db.server.ts";
import { env } from "../env.server.ts";
import { limit } from "../http/limits.server.ts";
import { accepted, invalid, type Outcome, refused } from "../http/outcome.ts";
import type { Notice } from "../ui/notice.ts";
import { administratorMade } from "./administrator.server.ts";
import { whyTooCommon } from "./common-passwords.server.ts";
import { hashPassword, passwordMatches } from "./password.server.ts";
import { type Person, PERSON_FIELDS } from "./person.ts";
import { endSession, startSession } from "./session.server.ts";
import { endOtherSessions } from "./standing.server.ts";
import type { PasswordChange, Registration } from "./shapes.ts";

const QUARTER_HOUR = 15 * 60;
const HOUR = 60 * 60;

const wrongByAccount = limit("sign-in-account", 10, QUARTER_HOUR);
const wrongByAddress = limit("sign-in-address", 10, QUARTER_HOUR);
const registrations = limit("register", 5, HOUR);
const wrongCurrent = limit("change-password", 10, QUARTER_HOUR);

const ACCOUNT = { ...PERSON_FIELDS, profileImageUrl: true, createdAt: true, updatedAt: true } as const;

const WRONG = "Invalid email or password.";

/** Who may sign in, and the hash that said so, which goes no further than `openSession`. */
type LetIn = { account: Account; password: string };

/** A user as its owner sees it; never with a password. */
export type Account = Person & { profileImageUrl: string | null; createdAt: Date; updatedAt: Date };

/**
 * Makes a client's account. Refused as a conflict when the address is taken, the consultant's included; whoever
 * registers is never an administrator (decisions §5.1). `address` is the visitor's, for the limit of 5 an hour.
 */
export async function register(fields: Registration, address: string): Promise<Outcome<Account>> {
  const refusal = whyTooCommon(fields.password, "password") ?? (await registrations.use(address));
  if (refusal) return refusal;
  const { firstName, lastName, email, phone } = fields;
  const taken = refused("conflict", "An account with this email address already exists. Please sign in instead.");
  if (email === env.adminEmail || (await db.user.findUnique({ where: { email }, select: { id: true } }))) return taken;
  const hash = await hashPassword(fields.password);
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
    return accepted(await db.user.create({ data, select: ACCOUNT }));
  } catch (error) {
    if (isUniqueViolation(error, "email")) return taken;
    throw error;
  }
}

/**
 * Checks an e-mail address and password. An unknown address and a wrong password get the same answer in the same
 * time. Ten wrong tries in 15 minutes for one account from one address, or from one address in all, are refused.
 */
export async function signIn(fields: { email: string; password: string }, address: string): Promise<Outcome<LetIn>> {
  const keys = [
    [wrongByAccount, `${fields.email} ${address}`],
    [wrongByAddress, address],
  ] as const;
  for (const [wrong, key] of keys) {
    const tooMany = await wrong.check(key);
    if (tooMany) return tooMany;
  }
  await administratorMade();
  const user = await db.user.findUnique({ where: { email: fields.email }, select: { ...ACCOUNT, password: true } });
  const matches = await passwordMatches(fields.password, user?.password ?? null);
  if (!matches.ok) return matches;
  // Tries that ran at the same time are judged by what the others used up meanwhile.
  for (const [wrong, key] of keys) {
    const tooMany = await (matches.value ? wrong.check(key) : wrong.use(key));
    if (tooMany) return tooMany;
  }
  if (!user || !matches.value) return refused("unauthorized", WRONG);
  const { password, ...account } = user;
  return accepted({ account, password });
}

/** Signs in whom `signIn` let in. Comparing takes its time: a password that was changed meanwhile opens nothing any more. */
export async function openSession(
  context: Readonly<RouterContextProvider>,
  { account, password }: LetIn,
  notice?: Notice,
): Promise<Outcome<Account>> {
  await startSession(context, account, notice);
  // Asked after the session was made: a change either finds and ends it, or is seen here.
  const isStill = (await db.user.count({ where: { id: account.id, password } })) === 1;
  if (isStill) return accepted(account);
  await endSession(context);
  return refused("unauthorized", WRONG);
}

/** Sets a new password. Every other session of the person ends; the one named by `sid` goes on. */
export async function changePassword(person: Person, fields: PasswordChange, sid: string): Promise<Outcome<null>> {
  const refusal = whyTooCommon(fields.newPassword, "newPassword") ?? (await wrongCurrent.check(String(person.id)));
  if (refusal) return refusal;
  const user = await db.user.findUniqueOrThrow({ where: { id: person.id }, select: { password: true } });
  const matches = await passwordMatches(fields.currentPassword, user.password);
  if (!matches.ok) return matches;
  const wrong = invalid("currentPassword", "The current password is not right.");
  if (!matches.value) return (await wrongCurrent.use(String(person.id))) ?? wrong;
  const hash = await hashPassword(fields.newPassword);
  if (!hash.ok) return hash;
  // Of several changes at once the first is made: to the others the password is another one by now.
  const where = { id: person.id, password: user.password };
  const { count } = await db.user.updateMany({ where, data: { password: hash.value } });
  if (count === 0) return wrong;
  await endOtherSessions(person.id, sid);
  return accepted(null);
}

/** The signed-in person's own account. */
export async function ownAccount(person: Person): Promise<Account> {
  return db.user.findUniqueOrThrow({ where: { id: person.id }, select: ACCOUNT });
}

/** A user as the administrator sees any, and a client only itself; another's is not found, or not theirs to see. */
export async function findUser(person: Person, id: number | null) {
  if (!person.isAdmin && id !== person.id) return refused("forbidden", "You don't have access to this.");
  const select = { id: true, firstName: true, lastName: true, email: true, isClient: true, isAdmin: true } as const;
  const user = id === null ? null : await db.user.findUnique({ where: { id }, select });
  return user ? accepted(user) : refused("notFound", "There is no such user.");
}
