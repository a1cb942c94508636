export const CANCELED_BY_FAMILY = "Canceled by the family";
export const CANCELED_BY_PRACTICE = "Canceled by the practice";
export const DELETED_BY_PRACTICE = "Deleted by the practice";
export const ACCOUNT_END_REASONS = {
  closed: "Canceled by the practice: the account was closed",
  deleted: "Canceled by the practice: the account will be deleted",
};

/** Reason why the practice cancels all upcoming appointments of a family. */
export type AccountEndReason = keyof typeof ACCOUNT_END_REASONS;

const REASONS_OF_CANCELLATIONS = new Set<string>([
  CANCELED_BY_FAMILY,
  CANCELED_BY_PRACTICE,
  DELETED_BY_PRACTICE,
  ...Object.values(ACCOUNT_END_REASONS),
]);

/** Checks whether a refund was decided by a cancellation, and so has no reason in the consultant's own words. */
export function isReasonOfCancellation(reason: string): boolean {
  return REASONS_OF_CANCELLATIONS.has(reason);
}
