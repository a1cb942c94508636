import { DAY_MS, HOUR_MS } from "../time-units.ts";
import { recordAuditOncePerWindow } from "./record-audit.server.ts";

/**
 * Records, once an hour, that the consultant sees lists of families' records. Once is enough, because screens poll the
 * lists every few seconds and a list opens no record. Must be called before a list is sent.
 */
export function recordListRead(): Promise<void> {
  return recordAuditOncePerWindow(HOUR_MS, { action: "lists-opened" });
}

/**
 * Records for each family in a list that the consultant sees its texts there (notes about visits, requests, file
 * descriptions), once in 24 hours per family. `familyIds` are the ids of the rows' accounts, null for rows without one.
 * Must be called before the list is sent.
 */
export function recordTextsListed(familyIds: readonly (number | null)[]): Promise<void> {
  const events = [...new Set(familyIds)].flatMap((familyId) =>
    familyId === null ? [] : { action: "texts-listed" as const, familyId, objectId: familyId },
  );
  return recordAuditOncePerWindow(DAY_MS, ...events);
}
