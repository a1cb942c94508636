import { findObjectsWithFrequentEntries } from "../../audit/audit-entry-counts.server.ts";
import { DAY_MS } from "../../time-units.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";

const WARNING_THRESHOLD = 20;

const FAILED_AUTHENTICATION_ACTIONS = [
  "sign-in-failed",
  "sign-in-code-failed",
  "sign-in-passkey-failed",
  "sign-in-passkey-copied",
] as const;

/**
 * Returns a warning for the consultant for each account with 20 or more failed authentications within the last 24
 * hours, at sign-in or when a signed-in person was asked again. They are counted in the audit trail, so all processes
 * count together, and a restart forgets none. A warning names a family by its number, because warnings are also logged.
 */
export async function failedAuthenticationWarnings(): Promise<string[]> {
  const since = new Date(now().getTime() - DAY_MS);
  const ids = await findObjectsWithFrequentEntries(FAILED_AUTHENTICATION_ACTIONS, {
    since,
    minCount: WARNING_THRESHOLD,
  });
  if (ids.length === 0) return [];
  const users = await db.user.findMany({
    where: { id: { in: ids } },
    orderBy: { id: "asc" },
    select: { id: true, isAdmin: true },
  });
  return users.map(({ id, isAdmin }) =>
    isAdmin
      ? `${WARNING_THRESHOLD} or more wrong passwords were tried on a consultant's account within a day (account ${id}). If that was not you, choose a longer password.`
      : `${WARNING_THRESHOLD} or more wrong passwords were tried on a family's account within a day: /families/${id}. Ask the family whether that was them.`,
  );
}
