import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { randomBytes } from "node:crypto";
import { db, inTransaction } from "../db/database-client.server.ts";
import { isUniqueViolation } from "../db/database-errors.server.ts";
import { env } from "../env.server.ts";
import { OperatorError } from "../operator-error.ts";
import { DEFAULT_ADMIN_FIRST_NAME } from "../practice/site-content.ts";
import { checkPasswordStrength } from "./passwords/password-strength.server.ts";
import { hashPassword, COMMAND_LINE_SOURCE } from "./passwords/password-hashing.server.ts";

const WEAK_PASSWORD_NOTICE = " A public site would refuse it: it is too common, or has fewer than 12 characters.";

let administratorCreation: Promise<unknown> = Promise.resolve();

/**
 * Resolves when the administrator's account, which the first start creates, exists. The server accepts requests before
 * that; sign-ins wait for it.
 */
export function waitForAdministratorCreation(): Promise<unknown> {
  return administratorCreation;
}

/**
 * Creates the administrator's account from ADMIN_EMAIL if it is missing, and returns a sentence on how to sign in.
 * Never changes an existing account. Throws OperatorError when the address belongs to a client.
 */
export function ensureAdministrator(): Promise<string> {
  const created = createAdministrator();
  administratorCreation = created.catch(() => null); // the caller reports the error
  return created;
}

async function createAdministrator(): Promise<string> {
  const email = env.adminEmail;
  const existing = await db.user.findUnique({ where: { email }, select: { isAdmin: true } });
  if (existing?.isAdmin)
    return `Sign in as the administrator with ${email} and the password given when the account was made.`;
  if (existing) throw new OperatorError(`ADMIN_EMAIL ${email} is a client's account. Choose another address.`);
  const change = await db.emailChange.findFirst({
    where: { oldEmail: email, user: { isAdmin: true, closedAt: null } },
    select: { user: { select: { email: true } } },
  });
  if (change)
    return `Sign in as the administrator with ${change.user.email}, which the consultant chose in place of ADMIN_EMAIL ${email}.`;
  const password = env.adminPassword ?? generatePassword();
  const refusal = checkPasswordStrength(password, "password", { isAdmin: true });
  if (refusal && env.isPublic) throw new OperatorError(`ADMIN_PASSWORD: ${refusal.message}`);
  const hash = await hashPassword(password, COMMAND_LINE_SOURCE);
  if (!hash.ok) throw new OperatorError(hash.message);
  const data = {
    email,
    password: hash.value,
    firstName: DEFAULT_ADMIN_FIRST_NAME,
    lastName: env.practice.name,
    isClient: false,
    isAdmin: true,
  };
  // Another process may create the account at the same moment.
  await inTransaction(async (transaction) => {
    const { id } = await transaction.user.create({ data, select: { id: true } });
    recordAuditInTransaction(transaction, { action: "account-made", objectId: id });
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error, "email")) throw error;
  });
  return env.adminPassword
    ? `Sign in as the administrator with ${email} and the password of ADMIN_PASSWORD.${refusal ? WEAK_PASSWORD_NOTICE : ""}`
    : `Sign in as the administrator with ${email} and the password ${password} (shown only this once).`;
}

export function generatePassword(): string {
  return randomBytes(12).toString("base64url");
}
