import { db } from "../../db/client.server.ts";

/**
 * Lets accounts that are to be deleted before `until` (UTC) wait until then: after a restore nobody may know whether the
 * family has decided to stay.
 */
export async function postponeErasures(until: Date): Promise<void> {
  await db.user.updateMany({ where: { isAdmin: false, eraseAfter: { lt: until } }, data: { eraseAfter: until } });
}
