import type { Refusal } from "../http/outcome.ts";

const MAX_RECORDED = 1000;

/** Documents whose files were last found missing or damaged, since this process started. */
const damaged = new Set<number>();

/** What was found when a document's file was last opened; `refusal` where it could not be given. */
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
