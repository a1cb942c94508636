import { db, type Transaction } from "../db/client.server.ts";
import type { ReplacedDatabase } from "../db/replaced-database.ts";
import type { AuditAction } from "./actions.ts";

type LatestEntry = { sequence: number; at: Date; action: string; hash: string };

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
    select: { sequence: true, at: true, action: true, hash: true },
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

/** The hashes of at most 1,000 entries that the database that is replaced has until an instant, the newest first. */
export async function readReplacedHashes({ readRows, literal }: ReplacedDatabase, until: Date): Promise<Set<string>> {
  const rows = await readRows(
    `SELECT hash FROM audit_entries WHERE at <= ${literal(until)} ORDER BY sequence DESC LIMIT 1000`,
  );
  return new Set(rows.map(({ hash }) => String(hash)));
}

/** The last of these actions that the database that is replaced has recorded; null for none of them. */
export async function readLatestReplacedAction(
  { readRows }: ReplacedDatabase,
  actions: readonly AuditAction[],
): Promise<string | null> {
  const names = actions.map((action) => `'${action}'`).join(", ");
  const rows = await readRows(
    `SELECT action FROM audit_entries WHERE action IN (${names}) ORDER BY sequence DESC LIMIT 1`,
  );
  return rows[0] ? String(rows[0].action) : null;
}
