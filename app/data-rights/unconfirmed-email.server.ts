import { getEmailPreferences } from "../accounts/email/mail-settings.server.ts";
import type { Person } from "../accounts/person.ts";
import { mailMode } from "../mail/mail-transport.server.ts";

/**
 * Returns a family's email address if it is unconfirmed, and whether a confirmation link can be mailed; null once it is
 * confirmed. Records that were sent with it while signed out may belong to another person, so they are neither exported
 * nor erased with the account.
 */
export async function findUnconfirmedEmail(family: Person): Promise<{ email: string; hasMail: boolean } | null> {
  const { isConfirmed } = await getEmailPreferences(family);
  return isConfirmed ? null : { email: family.email, hasMail: mailMode !== "none" };
}
