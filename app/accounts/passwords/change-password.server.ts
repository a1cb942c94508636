import { type Outcome, accepted } from "../../http/outcome.ts";
import { changePasswordAndRevokeAccess } from "../revoke-account-access.server.ts";
import type { Person } from "../person.ts";
import type { PasswordChangeValues } from "../account-schemas.ts";
import type { ReauthenticationSource } from "../sign-in/credential-limits.server.ts";
import { verifyOwnPassword, accountChangedRefusal } from "./own-password.server.ts";
import { hashPassword } from "./password-hashing.server.ts";
import { checkPasswordStrength } from "./password-strength.server.ts";

/**
 * Sets a new password. Ends every mailed reset link and every session of the person except `sid`. Unless the person
 * keeps them, also ends the passkeys and the calendar link of the last 30 days. Refusals: invalid, tooMany,
 * unauthorized (`sid` has ended in the meantime).
 */
export async function changeOwnPassword(
  person: Person,
  fields: PasswordChangeValues,
  { sid, ip }: ReauthenticationSource,
): Promise<Outcome<null>> {
  const weakPasswordRefusal = checkPasswordStrength(fields.newPassword, "newPassword", person);
  if (weakPasswordRefusal) return weakPasswordRefusal;
  const verified = await verifyOwnPassword(person, fields.currentPassword, { sid, ip, field: "currentPassword" });
  if (!verified.ok) return verified;
  const source = { ip, account: `signed in ${person.id}`, isRecognized: true };
  const hash = await hashPassword(fields.newPassword, source);
  if (!hash.ok) return hash;
  // Only the first of concurrent changes succeeds, because it changes the current password of the others.
  const replaced = await changePasswordAndRevokeAccess(person.id, hash.value, {
    expectedPasswordHash: verified.value,
    exceptSid: sid,
    preservesRecentAccess: fields.keepAdded === true,
  });
  return replaced ? accepted(null) : accountChangedRefusal(sid, "currentPassword");
}
