import { HOUR_MS } from "../duration.ts";
import { recordAuditOncePerWindow } from "./record.server.ts";

/**
 * Records that the consultant sees lists of families' records, once an hour: screens poll them every few seconds, and
 * a list opens no record. Call it before a list is sent.
 */
export function recordListRead(): Promise<void> {
  return recordAuditOncePerWindow({ action: "lists-opened" }, HOUR_MS);
}
