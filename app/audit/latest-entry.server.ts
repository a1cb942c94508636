import { db } from "../db/client.server.ts";
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
