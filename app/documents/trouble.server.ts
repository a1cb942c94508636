import type { Refusal } from "../http/outcome.ts";

const MOST = 1000;

/** Documents whose files were last found missing or damaged, since this process started. */
const inTrouble = new Set<number>();

/** What was found when a document's file was last opened; `refusal` where it could not be given. */
export function remember(id: number, refusal: Refusal | null): void {
  inTrouble.delete(id);
  if (refusal && refusal.reason !== "unavailable" && inTrouble.size < MOST) inTrouble.add(id);
}

export function allInTrouble(): number[] {
  return [...inTrouble];
}

export function isInTrouble(id: number): boolean {
  return inTrouble.has(id);
}
