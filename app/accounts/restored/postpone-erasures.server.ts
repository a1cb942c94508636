import { db } from "../../db/database-client.server.ts";

/**
 * Postpones the deletion of accounts that are due before `until` (UTC) to `until`: after a restore it may be unknown
 * whether the family has decided to keep the account.
 */
export async function postponeErasures(until: Date): Promise<void> {
  await db.user.updateMany({ where: { isAdmin: false, eraseAfter: { lt: until } }, data: { eraseAfter: until } });
}
