import { db } from "../db/client.server.ts";
import type { AuditAction } from "./actions.ts";

/** Maximum ids returned. More than a person can act on; SQLite also limits a query to 999 parameters. */
const MAX_OBJECTS = 500;

/**
 * Returns the ids of the objects of `finding` entries of the last run that ended with a `runEnd` entry, and of a run
 * that has begun since. Returns at most 500 ids.
 */
export async function findLastRunObjectIds(finding: AuditAction, runEnd: AuditAction): Promise<number[]> {
  const ends = await db.auditEntry.findMany({
    where: { action: runEnd },
    orderBy: { sequence: "desc" },
    take: 2,
    select: { sequence: true },
  });
  const entries = await db.auditEntry.findMany({
    where: { action: finding, sequence: { gt: ends[1]?.sequence ?? 0 } },
    orderBy: { sequence: "desc" },
    take: MAX_OBJECTS,
    select: { objectId: true },
  });
  return [...new Set(entries.flatMap(({ objectId }) => objectId ?? []))];
}
