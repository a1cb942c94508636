import { now } from "../../clock.ts";

/** Prisma filter for the changes of an address that a mailed link can still take back. */
export function openUndoLinkCondition() {
  return { undoTokenHash: { not: null }, undoUntil: { gt: now() } };
}
