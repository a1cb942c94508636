import { db, type Transaction } from "../db/client.server.ts";
import { type ReplacedDatabase, toDate } from "../db/replaced-database.ts";
import type { AuditAction } from "./actions.ts";

type LatestEntry = { sequence: number; at: Date; action: string; hash: string; objectId: number | null };

/** The newest entry of the access log: of one of these actions only, and before a number; null where there is none. */
export function findLatestEntry({
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

/** When something about a family was last recorded (UTC), and whose act it was; null where it never was. */
export function findLatestEntryOfFamily(
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

/** A person has few records of one kind that this is asked of. */
const MAX_ACTOR_ENTRIES = 100;

/** Whose act the newest entry about each of these records of a family was, by the record's number; 100 entries at most. */
export async function findActors(
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

/** The hashes of at most 1,000 entries that the database that is replaced has until an instant, the newest first. */
export async function readReplacedHashes({ readRows, literal }: ReplacedDatabase, until: Date): Promise<Set<string>> {
  const rows = await readRows(
    `SELECT hash FROM audit_entries WHERE at <= ${literal(until)} ORDER BY sequence DESC LIMIT 1000`,
  );
  return new Set(rows.map(({ hash }) => String(hash)));
}

/** The last entry of one of these actions that the database that is replaced has; null for none of them. */
export async function readLatestReplacedEntry(
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

/** Whose the last entry of an action is in the database that is replaced, by the family. */
export async function readActorsOfReplaced(
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
