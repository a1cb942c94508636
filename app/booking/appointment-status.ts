import { endTime } from "./booking-rules.ts";

/**
 * Statuses that the administrator sets manually. `cancelled` is set only by a cancellation, together with its refund.
 */
export const SETTABLE_STATUSES = ["scheduled", "completed", "no-show", "rescheduled"] as const;
export type SettableStatus = (typeof SETTABLE_STATUSES)[number];

/** Statuses in which an appointment can be neither canceled nor rescheduled. */
export const FINAL_STATUSES = ["cancelled", "completed", "no-show"];

/** Checks whether the visit took place or was missed. Canceling or deleting such a visit refunds nothing. */
export function isCompletedOrNoShow(status: string): boolean {
  return status === "completed" || status === "no-show";
}

export type StatusColor = "blue" | "green" | "red" | "yellow" | "grey";
export type StatusBadgeData = { color: StatusColor; label: string };
export type TimeStatus = "upcoming" | "now" | "past";
type TimedAppointment = { appointmentDate: Date; duration: number };
export type AppointmentWithStatus = TimedAppointment & { status: string };
const STATUS_COLORS: Record<string, StatusColor> = {
  scheduled: "blue",
  completed: "green",
  cancelled: "red",
  rescheduled: "yellow",
};

export function statusBadge(status: string): StatusBadgeData {
  return { color: STATUS_COLORS[status] ?? "grey", label: status };
}

/**
 * Returns the time status at `now`: "upcoming" until the start, "now" until the end, then "past". Ignores the
 * appointment's status.
 */
export function timeStatus({ appointmentDate, duration }: TimedAppointment, now: Date): TimeStatus {
  if (appointmentDate > now) return "upcoming";
  return endTime({ start: appointmentDate, duration }) > now ? "now" : "past";
}

/**
 * Returns the time at which a family's pages show a visit: `now`, or the end of the visit if the consultant has ended
 * its call, because it is over for the family then.
 */
export function effectiveNowForFamily(visit: TimedAppointment & { callEndedAt: Date | null }, now: Date): Date {
  const hasEnded = visit.callEndedAt !== null && timeStatus(visit, now) === "now";
  return hasEnded ? endTime({ start: visit.appointmentDate, duration: visit.duration }) : now;
}

/**
 * Returns the badge of a row in the family's list at `now`. A past appointment with status `scheduled` counts as
 * completed.
 */
export function familyBadge(appointment: AppointmentWithStatus, now: Date): StatusBadgeData {
  if (appointment.status !== "scheduled") return statusBadge(appointment.status);
  const current = timeStatus(appointment, now);
  if (current === "now") return { color: "green", label: "Now" };
  return statusBadge(current === "past" ? "completed" : "scheduled");
}

/**
 * Returns the badge of a row in the administrator's lists at `now`. A past visit is completed only after she has set
 * that status.
 */
export function adminBadge(appointment: AppointmentWithStatus, now: Date): StatusBadgeData {
  return isMissingOutcome(appointment, now) ? { color: "grey", label: NO_STATUS_LABEL } : familyBadge(appointment, now);
}

export const NO_STATUS_LABEL = "no status";

/** Statuses of visits whose outcome the administrator has not recorded yet. */
export const OPEN_STATUSES = ["scheduled", "rescheduled"];

/** Checks whether a visit is over at `now` and its outcome has not been recorded yet. */
export function isMissingOutcome(appointment: AppointmentWithStatus, now: Date): boolean {
  return OPEN_STATUSES.includes(appointment.status) && timeStatus(appointment, now) === "past";
}

/**
 * Checks whether a client may cancel at `now`: until the end of the visit, unless it is concluded. Source:
 * docs/product.md, Canceling.
 */
export function canCancel(appointment: AppointmentWithStatus, now: Date): boolean {
  return isMovable(appointment) && timeStatus(appointment, now) !== "past";
}

/** Checks whether the status allows moving an appointment: any status except canceled, completed and no-show. */
export function isMovable({ status }: { status: string }): boolean {
  return !FINAL_STATUSES.includes(status);
}
