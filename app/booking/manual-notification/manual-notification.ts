import { OPEN_STATUSES } from "../appointment-status.ts";

type Visit = { userId: number | null; status: string; appointmentDate: Date; toldAt: Date | null };

/** The statuses in which a visit to come may still have to be told. */
export const NOTIFIABLE_STATUSES = [...OPEN_STATUSES, "cancelled"];

const PENDING_NOTIFICATION_TEXTS: Record<string, string> = {
  rescheduled: "doesn't know the new time yet",
  cancelled: "doesn't know yet that it's canceled",
};

/**
 * What the person of a visit without an account, who gets no message of it, does not know at `now`, to follow the name;
 * null where nothing is left to be told.
 */
export function pendingNotificationText({ userId, status, appointmentDate, toldAt }: Visit, now: Date): string | null {
  if (userId !== null || toldAt !== null || appointmentDate <= now) return null;
  return NOTIFIABLE_STATUSES.includes(status) ? (PENDING_NOTIFICATION_TEXTS[status] ?? "doesn't know yet") : null;
}
