import { now } from "../../clock.ts";

/** Upper bound: more than the number of times an account can change its address while the links are valid. */
export const MAX_OPEN_UNDO_LINKS = 50;

/** Prisma filter for the changes of an address that a mailed link can still take back. */
export function openUndoLinkCondition() {
  return { undoTokenHash: { not: null }, undoUntil: { gt: now() } };
}
