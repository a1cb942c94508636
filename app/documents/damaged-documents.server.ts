import type { Refusal } from "../http/outcome.ts";

/** Maximum number of recorded ids. They become parameters of a query, and SQLite allows 999 parameters. */
export const MAX_RECORDED_DOCUMENTS = 500;

/**
 * Ids of documents that this process found missing or damaged, and how: when the file was opened, or when its content
 * was read to the end. Opening a file successfully does not verify its content, so it does not clear the second kind.
 */
const damageById = new Map<number, "opening" | "content">();

/** Records the result of opening a document's file; `refusal` is null on success. */
export function recordDocumentOpenResult(id: number, refusal: Refusal | null): void {
  if (!refusal && damageById.get(id) === "opening") damageById.delete(id);
  if (refusal && refusal.reason !== "unavailable" && !damageById.has(id)) recordDamage(id, "opening");
}

/** Records whether a document's whole content is the content that was uploaded. */
export function recordDocumentContentResult(id: number, isIntact: boolean): void {
  if (isIntact) damageById.delete(id);
  else recordDamage(id, "content");
}

function recordDamage(id: number, kind: "opening" | "content") {
  if (damageById.has(id) || damageById.size < MAX_RECORDED_DOCUMENTS) damageById.set(id, kind);
}

/** Removes documents that no longer exist, which would otherwise count against `MAX_RECORDED_DOCUMENTS`. */
export function forgetDamagedDocuments(ids: readonly number[]): void {
  for (const id of ids) damageById.delete(id);
}

export function damagedDocumentIds(): number[] {
  return [...damageById.keys()];
}

export function isDocumentDamaged(id: number): boolean {
  return damageById.has(id);
}
