/** What the consultant sets by hand; *cancelled* has its own way, with its refund. */
export const HAND_STATUSES = ["scheduled", "completed", "no-show", "rescheduled"] as const;
export type HandStatus = (typeof HAND_STATUSES)[number];
