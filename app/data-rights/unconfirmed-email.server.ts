import { findMailSettings } from "../accounts/email/mail-settings.server.ts";
import type { Person } from "../accounts/person.ts";
import { mailMode } from "../mail/transport.server.ts";

/**
 * A family's address while nobody has confirmed it, and whether a link to confirm it can be mailed; null once it is
 * confirmed. What was sent with it signed out may be somebody else's: neither copied nor erased with the account.
 */
export async function findUnconfirmedEmail(family: Person): Promise<{ email: string; hasMail: boolean } | null> {
  const { isConfirmed } = await findMailSettings(family);
  return isConfirmed ? null : { email: family.email, hasMail: mailMode !== "none" };
}
