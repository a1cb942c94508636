import type { Refusal } from "../http/outcome.ts";

/** Maximum number of recorded ids. They become parameters of a query, and SQLite allows 999 parameters. */
export const MAX_RECORDED = 500;

/**
 * Ids of documents that this process found missing or damaged, and how: when the file was opened, or when its content
 * was read to the end. Opening a file successfully does not verify its content, so it does not clear the second kind.
 */
const damaged = new Map<number, "opening" | "content">();

/** Records the result of opening a document's file; `refusal` is null on success. */
export function recordOpenResult(id: number, refusal: Refusal | null): void {
  if (!refusal && damaged.get(id) === "opening") damaged.delete(id);
  if (refusal && refusal.reason !== "unavailable" && !damaged.has(id)) record(id, "opening");
}

/** Records whether a document's whole content is the content that was uploaded. */
export function recordContentResult(id: number, isIntact: boolean): void {
  if (isIntact) damaged.delete(id);
  else record(id, "content");
}

function record(id: number, kind: "opening" | "content") {
  if (damaged.has(id) || damaged.size < MAX_RECORDED) damaged.set(id, kind);
}

/** Removes documents that no longer exist, which would otherwise count against `MAX_RECORDED`. */
export function clearDamaged(ids: readonly number[]): void {
  for (const id of ids) damaged.delete(id);
}

export function damagedDocumentIds(): number[] {
  return [...damaged.keys()];
}

export function isDamaged(id: number): boolean {
  return damaged.has(id);
}
