import { isUniqueViolation } from "../db/database-errors.server.ts";
import { type Transaction, inTransaction } from "../db/database-client.server.ts";
import { now } from "../clock.ts";
import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { HOUR_SECONDS } from "../time-units.ts";
import { type Outcome, accepted, refused } from "../http/outcome.ts";
import { createNetworkLimiter } from "../http/rate-limit.server.ts";
import { EMAIL_TAKEN_MESSAGE } from "./email/email-taken-message.ts";
import type { RegistrationValues } from "./account-schemas.ts";
import { checkPasswordStrength } from "./passwords/password-strength.server.ts";
import { hashPassword } from "./passwords/password-hashing.server.ts";
import { isEmailTaken } from "./email/email-availability.server.ts";
import { sendConfirmationLinkToNewAccount } from "./email/confirm-email.server.ts";
import { type Account, ACCOUNT_SELECT } from "./account.server.ts";
import { TERMS_VERSION } from "../practice/site-content.ts";

const registrationLimiter = createNetworkLimiter("register", 5, HOUR_SECONDS);

const emailTakenRefusal = refused("conflict", EMAIL_TAKEN_MESSAGE);

/**
 * Creates a client's account, never an administrator's. Records that the current terms were accepted. `ip` is the
 * client's, for the limit of 5 an hour (15 for an IPv6 /56, 50 for a /48). Refusals: conflict (the address is taken),
 * invalid (common password), tooMany.
 */
export async function registerFamilyAccount(fields: RegistrationValues, ip: string): Promise<Outcome<Account>> {
  const refusal = checkPasswordStrength(fields.password, "password") ?? (await registrationLimiter.consume(ip));
  return refusal ?? createAccount(fields, ip, sendConfirmationLinkToNewAccount);
}

/**
 * Creates the account of a registration whose password and network were already checked; `onCreated` runs in its
 * transaction. Refusals: conflict (the address is taken), tooMany (too many passwords wait to be hashed).
 */
export async function createAccount(
  { firstName, lastName, email, phone, password }: RegistrationValues,
  ip: string,
  onCreated: (transaction: Transaction, account: Account) => Promise<unknown>,
): Promise<Outcome<Account>> {
  if (await isEmailTaken(email)) return emailTakenRefusal;
  const hash = await hashPassword(password, { ip, account: email, isRecognized: false });
  if (!hash.ok) return hash;
  try {
    const acceptance = { version: TERMS_VERSION, acceptedAt: now() };
    const data = {
      firstName,
      lastName,
      email,
      phone: phone ?? null,
      password: hash.value,
      isClient: true,
      isAdmin: false,
      createdAt: now(),
      termsVersion: acceptance.version,
      termsAcceptedAt: acceptance.acceptedAt,
      termsAcceptances: { create: acceptance },
    };
    return await inTransaction(async (transaction) => {
      const account = await transaction.user.create({ data, select: ACCOUNT_SELECT });
      const { id } = account;
      recordAuditInTransaction(transaction, { action: "account-made", actorId: id, familyId: id, objectId: id });
      await onCreated(transaction, account);
      return accepted(account);
    });
  } catch (error) {
    if (isUniqueViolation(error, "email")) return emailTakenRefusal;
    throw error;
  }
}
