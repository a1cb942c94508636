import type { Refusal } from "../http/outcome.ts";

const MAX_RECORDED = 1000;

/** Ids of documents whose files were missing or damaged when they were last opened by this process. */
const damaged = new Set<number>();

/** Records the result of opening a document's file; `refusal` is null on success. */
export function recordOpenResult(id: number, refusal: Refusal | null): void {
  damaged.delete(id);
  if (refusal && refusal.reason !== "unavailable" && damaged.size < MAX_RECORDED) damaged.add(id);
}

export function damagedDocumentIds(): number[] {
  return [...damaged];
}

export function isDamaged(id: number): boolean {
  return damaged.has(id);
}
