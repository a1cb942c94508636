/** Lengths in minutes for which services are sold (docs/product.md, Services and prices). */
export const WAITING_LIST_VISIT_MINUTES = [60, 90] as const;

/**
 * Returns the shortest of these lengths that fits a visit of `duration` minutes; null if the visit is longer than all
 * of them.
 */
export function roundUpToWaitingListDuration(duration: number): number | null {
  return WAITING_LIST_VISIT_MINUTES.find((minutes) => minutes >= duration) ?? null;
}
