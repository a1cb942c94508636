import { endTime } from "./rules.ts";

/** The statuses the administrator sets by hand. `cancelled` is set by canceling alone, with its refund. */
export const SETTABLE_STATUSES = ["scheduled", "completed", "no-show", "rescheduled"] as const;
export type SettableStatus = (typeof SETTABLE_STATUSES)[number];

/** An appointment in one of these statuses can be neither canceled nor rescheduled. */
export const FINAL_STATUSES = ["cancelled", "completed", "no-show"];

/** Whether the visit took place or was missed. Cancelling or deleting it then refunds nothing. */
export function isConcluded(status: string): boolean {
  return status === "completed" || status === "no-show";
}

export type Tone = "blue" | "green" | "red" | "yellow" | "grey";
export type Badge = { tone: Tone; label: string };
export type TimeStatus = "upcoming" | "now" | "past";
type TimedAppointment = { appointmentDate: Date; duration: number };
export type AppointmentWithStatus = TimedAppointment & { status: string };
const STATUS_TONES: Record<string, Tone> = {
  scheduled: "blue",
  completed: "green",
  cancelled: "red",
  rescheduled: "yellow",
};

export function statusBadge(status: string): Badge {
  return { tone: STATUS_TONES[status] ?? "grey", label: status };
}

/** The time status at `now`: upcoming until the start, now until the end, then past. The status does not matter. */
export function timeStatus({ appointmentDate, duration }: TimedAppointment, now: Date): TimeStatus {
  if (appointmentDate > now) return "upcoming";
  return endTime({ start: appointmentDate, duration }) > now ? "now" : "past";
}

/** The badge of a family's row at `now`. A scheduled appointment that is over counts as completed. */
export function familyBadge(appointment: AppointmentWithStatus, now: Date): Badge {
  if (appointment.status !== "scheduled") return statusBadge(appointment.status);
  const current = timeStatus(appointment, now);
  if (current === "now") return { tone: "green", label: "Now" };
  return statusBadge(current === "past" ? "completed" : "scheduled");
}

/** The badge of the administrator's row at `now`: a visit that is over is completed once she has said so. */
export function adminBadge(appointment: AppointmentWithStatus, now: Date): Badge {
  return needsOutcome(appointment, now) ? { tone: "grey", label: NO_STATUS_LABEL } : familyBadge(appointment, now);
}

export const NO_STATUS_LABEL = "no status";

/** The statuses of a visit of which the administrator has not said yet how it went. */
export const OPEN_STATUSES = ["scheduled", "rescheduled"];

/** Whether a visit is over at `now` and the administrator has not set yet how it went. */
export function needsOutcome(appointment: AppointmentWithStatus, now: Date): boolean {
  return OPEN_STATUSES.includes(appointment.status) && timeStatus(appointment, now) === "past";
}

/** Whether a client may cancel at `now`: until the end, unless concluded. Source: docs/product.md, Cancelling. */
export function canCancel(appointment: AppointmentWithStatus, now: Date): boolean {
  return isMovable(appointment) && timeStatus(appointment, now) !== "past";
}

/** Whether the status lets an appointment be moved: not when it is canceled, completed or no-show. */
export function isMovable({ status }: { status: string }): boolean {
  return !FINAL_STATUSES.includes(status);
}
