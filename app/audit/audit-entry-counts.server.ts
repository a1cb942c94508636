import { db } from "../db/database-client.server.ts";
import type { AuditAction } from "./audit-actions.ts";

const MAX_OBJECTS = 100;

/** Returns how often an action was recorded since `since`. */
export function countAuditEntries(action: AuditAction, since: Date): Promise<number> {
  return db.auditEntry.count({ where: { action, at: { gte: since } } });
}

/** Returns the ids of at most 100 objects for which these actions were recorded `minCount` times or more since `since`. */
export async function findObjectsWithFrequentEntries(
  actions: readonly AuditAction[],
  { since, minCount }: { since: Date; minCount: number },
): Promise<number[]> {
  const groups = await db.auditEntry.groupBy({
    by: ["objectId"],
    where: { action: { in: [...actions] }, at: { gt: since }, objectId: { not: null } },
    having: { objectId: { _count: { gte: minCount } } },
    orderBy: { objectId: "asc" },
    take: MAX_OBJECTS,
  });
  return groups.flatMap(({ objectId }) => objectId ?? []);
}
