import { db, type Transaction } from "../db/database-client.server.ts";
import { type ReplacedDatabase, toDate } from "../db/replaced-database.ts";
import type { AuditAction } from "./audit-actions.ts";

type LatestEntry = { sequence: number; at: Date; action: string; hash: string; objectId: number | null };

/**
 * Returns the newest entry of the access log, or null if there is none. Optionally only of `actions`, and only with a
 * sequence number below `before`.
 */
export function findLatestAuditEntry({
  actions,
  before,
}: { actions?: readonly AuditAction[]; before?: number } = {}): Promise<LatestEntry | null> {
  return db.auditEntry.findFirst({
    where: {
      ...(actions && { action: { in: [...actions] } }),
      ...(before !== undefined && { sequence: { lt: before } }),
    },
    orderBy: { sequence: "desc" },
    select: { sequence: true, at: true, action: true, hash: true, objectId: true },
  });
}

/** Returns when an action about a family was last recorded (UTC) and who performed it, or null if it never was. */
export function findLatestAuditEntryOfFamily(
  action: AuditAction,
  familyId: number,
  { auditEntry }: Pick<Transaction, "auditEntry"> = db,
): Promise<{ at: Date; actorId: number | null } | null> {
  return auditEntry.findFirst({
    where: { familyId, action },
    orderBy: { sequence: "desc" },
    select: { at: true, actorId: true },
  });
}

/** Maximum entries read by `findLatestActorsByRecordId`. A family has only a few records of the kinds that it is used for. */
const MAX_ACTOR_ENTRIES = 100;

/**
 * Returns who performed the newest recorded action on each of these records of a family, by record id. Reads at most
 * 100 entries.
 */
export async function findLatestActorsByRecordId(
  action: AuditAction,
  { familyId, objectIds }: { familyId: number; objectIds: readonly number[] },
): Promise<Map<number, number | null>> {
  if (objectIds.length === 0) return new Map();
  const rows = await db.auditEntry.findMany({
    where: { familyId, action, objectId: { in: [...objectIds] } },
    orderBy: { sequence: "desc" },
    take: MAX_ACTOR_ENTRIES,
    select: { objectId: true, actorId: true },
  });
  return new Map(
    rows.toReversed().flatMap(({ objectId, actorId }) => (objectId === null ? [] : [[objectId, actorId]])),
  );
}

/** Returns the hashes of the newest 1,000 entries up to an instant in the database that is being replaced. */
export async function readHashesFromReplacedDatabase(
  { readRows, literal }: ReplacedDatabase,
  until: Date,
): Promise<Set<string>> {
  const rows = await readRows(
    `SELECT hash FROM audit_entries WHERE at <= ${literal(until)} ORDER BY sequence DESC LIMIT 1000`,
  );
  return new Set(rows.map(({ hash }) => String(hash)));
}

/** Returns the last entry of one of these actions in the database that is being replaced, or null if there is none. */
export async function readLatestEntryFromReplacedDatabase(
  { readRows, instants }: ReplacedDatabase,
  actions: readonly AuditAction[],
): Promise<{ action: string; at: Date; objectId: number | null } | null> {
  const names = actions.map((action) => `'${action}'`).join(", ");
  const [row] = await readRows(
    `SELECT action, "objectId", ${instants("at")} FROM audit_entries WHERE action IN (${names}) ORDER BY sequence DESC LIMIT 1`,
  );
  if (!row) return null;
  return {
    action: String(row.action),
    at: toDate(row.at),
    objectId: row.objectId === null ? null : Number(row.objectId),
  };
}

/** Returns who performed the last recorded action of this kind in the database that is being replaced, by family id. */
export async function readLastActorsFromReplacedDatabase(
  { readRows }: ReplacedDatabase,
  action: AuditAction,
): Promise<Map<number, number | null>> {
  const rows = await readRows(
    `SELECT "familyId", "actorId" FROM audit_entries WHERE action = '${action}' AND "familyId" IS NOT NULL ORDER BY sequence`,
  );
  return new Map(
    rows.map(({ familyId, actorId }) => [Number(familyId), actorId === null ? null : Number(actorId)] as const),
  );
}
