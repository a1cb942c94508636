import { DAY_MS, HOUR_MS } from "../duration.ts";
import { recordAuditOncePerWindow } from "./record.server.ts";

/**
 * Records that the consultant sees lists of families' records, once an hour: screens poll them every few seconds, and
 * a list opens no record. Call it before a list is sent.
 */
export function recordListRead(): Promise<void> {
  return recordAuditOncePerWindow(HOUR_MS, { action: "lists-opened" });
}

/**
 * Records for each family in a list that the consultant sees its texts there (notes of visits, requests, descriptions of
 * files), once in 24 hours for each. `familyIds`: the ids of the rows' accounts, null for rows without one. Call it before
 * the list is sent.
 */
export function recordTextsListed(familyIds: readonly (number | null)[]): Promise<void> {
  const events = [...new Set(familyIds)].flatMap((familyId) =>
    familyId === null ? [] : { action: "texts-listed" as const, familyId, objectId: familyId },
  );
  return recordAuditOncePerWindow(DAY_MS, ...events);
}
