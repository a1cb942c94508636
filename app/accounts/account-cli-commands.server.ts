import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { db, inTransaction } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { normalizeEmail } from "../normalize-email.ts";
import { changePasswordAndRevokeAccess, revokeSessionsAndLinks } from "./revoke-account-access.server.ts";
import { generatePassword } from "./create-administrator.server.ts";
import { closeConnectionsOfEndedSessions } from "./close-session-connections.server.ts";
import { COMMAND_LINE_SOURCE, hashPassword } from "./passwords/password-hashing.server.ts";
import { checkPasswordStrength } from "./passwords/password-strength.server.ts";
import { newPasswordSchema } from "./account-schemas.ts";

/**
 * Sets an account's password from the command line; generates one if `requested` is empty. Ends all sessions, all reset
 * links and the second factor of the account.
 */
export async function setPasswordAndRevokeAccess(email: string, requested: string): Promise<Outcome<string>> {
  const user = await findAccountByEmail(email);
  if (!user) return refused("notFound", `There is no account with the address ${email}.`);
  const password = requested || generatePassword();
  const parsed = newPasswordSchema.safeParse({ newPassword: password, confirmPassword: password });
  if (!parsed.success) return refused("invalid", parsed.error.issues[0]?.message ?? "This password can't be used.");
  const refusal = checkPasswordStrength(password, "password", user);
  if (refusal) return refusal;
  const hash = await hashPassword(password, COMMAND_LINE_SOURCE);
  if (!hash.ok) return hash;
  await changePasswordAndRevokeAccess(user.id, hash.value, { endsSecondFactor: true });
  return accepted(`The password of ${user.email} is ${requested ? "the one you typed" : password} from now on.`);
}

/** Turns an administrator's account into a client's and ends all of its sessions and reset links. */
export async function demoteAdministrator(email: string): Promise<Outcome<string>> {
  const user = await findAccountByEmail(email);
  if (!user?.isAdmin) return refused("notFound", `${email} is no administrator.`);
  await inTransaction(async (transaction) => {
    const data = { isAdmin: false, isClient: true };
    await transaction.user.update({ where: { id: user.id }, data, select: { id: true } });
    await revokeSessionsAndLinks(transaction, user.id);
    recordAuditInTransaction(transaction, { action: "account-demoted", objectId: user.id });
  });
  await closeConnectionsOfEndedSessions(user.id);
  const hint = user.email === env.adminEmail ? " Name another ADMIN_EMAIL before the next start." : "";
  return accepted(`${user.email} is no administrator any more.${hint}`);
}

function findAccountByEmail(email: string) {
  return db.user.findUnique({
    where: { email: normalizeEmail(email) },
    select: { id: true, email: true, isAdmin: true },
  });
}
