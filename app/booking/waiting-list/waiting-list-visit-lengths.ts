/** The lengths for which services are sold (docs/product.md, Services and prices). */
export const WAITING_LIST_VISIT_MINUTES = [60, 90] as const;

/** The shortest of these in which a visit of `duration` minutes fits; null when it is longer than all of them. */
export function waitingListMinutes(duration: number): number | null {
  return WAITING_LIST_VISIT_MINUTES.find((minutes) => minutes >= duration) ?? null;
}
