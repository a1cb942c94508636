import { OPEN_STATUSES } from "../appointment-status.ts";

type Visit = { userId: number | null; status: string; appointmentDate: Date; toldAt: Date | null };

/**
 * Checks whether the person of a visit may know of it: by its account, or because they were notified before its last
 * change. Until they are notified of a change, `toldAt` is null again.
 */
export function isVisitKnownToPerson(visit: Pick<Visit, "userId" | "toldAt"> & { calendarSequence: number }): boolean {
  return visit.userId !== null || visit.toldAt !== null || visit.calendarSequence > 0;
}

/** Statuses of upcoming visits about which a person may still have to be notified. */
export const NOTIFIABLE_STATUSES = [...OPEN_STATUSES, "cancelled"];

const PENDING_NOTIFICATION_TEXTS: Record<string, string> = {
  rescheduled: "doesn't know the new time or place yet",
  cancelled: "doesn't know yet that it's canceled",
};

/**
 * Returns what a visit's person who has no account, and therefore gets no messages, does not know yet at `now`. The
 * text follows the person's name. Returns null when there is nothing left to tell.
 */
export function pendingNotificationText({ userId, status, appointmentDate, toldAt }: Visit, now: Date): string | null {
  if (userId !== null || toldAt !== null || appointmentDate <= now) return null;
  return NOTIFIABLE_STATUSES.includes(status) ? (PENDING_NOTIFICATION_TEXTS[status] ?? "doesn't know yet") : null;
}
