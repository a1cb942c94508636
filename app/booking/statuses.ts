/** What the consultant sets by hand; *cancelled* has its own way, with its refund. */
export const MANUAL_STATUSES = ["scheduled", "completed", "no-show", "rescheduled"] as const;
export type ManualStatus = (typeof MANUAL_STATUSES)[number];

/** An appointment with one of these is neither cancelled nor moved any more. */
export const FINAL_STATUSES = ["cancelled", "completed", "no-show"];

/** Whether the visit took place, or was missed: what was paid for it is not refunded by cancelling or deleting. */
export function isConcluded(status: string): boolean {
  return status === "completed" || status === "no-show";
}
