import { db } from "../db/client.server.ts";
import type { AuditAction } from "./actions.ts";

/** More than a person can act on; and SQLite allows 999 parameters of a query. */
const MAX_OBJECTS = 500;

/**
 * The ids of the objects of `finding` entries of the last run that ended with a `runEnd` entry, and of one that was begun
 * since; at most 500.
 */
export async function objectsSinceLastRun(finding: AuditAction, runEnd: AuditAction): Promise<number[]> {
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
