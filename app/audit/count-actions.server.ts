import { db } from "../db/client.server.ts";
import type { AuditAction } from "./actions.ts";

/** Returns how often an action was recorded since `since`. */
export function countActions(action: AuditAction, since: Date): Promise<number> {
  return db.auditEntry.count({ where: { action, at: { gte: since } } });
}
