import { HOUR_MS } from "../duration.ts";
import { type AppointmentWithStatus, isMovable } from "./appointment-status.ts";

/** Until this long before the start a family moves a visit, or cancels it without a fee. Source: terms of service. */
export const SELF_SERVICE_DEADLINE_HOURS = 24;

/** The last moment at which a family moves a visit at `start`, or cancels it without a fee. */
export function selfServiceDeadline(start: Date): Date {
  return new Date(start.getTime() - SELF_SERVICE_DEADLINE_HOURS * HOUR_MS);
}

export function isBeforeSelfServiceDeadline({ appointmentDate }: { appointmentDate: Date }, now: Date): boolean {
  return now <= selfServiceDeadline(appointmentDate);
}

/** Whether a family can move a visit to come by phone alone, because it starts too soon. */
export function isMovedByPhone(appointment: AppointmentWithStatus, now: Date): boolean {
  return isMovable(appointment) && appointment.appointmentDate > now && !canMove(appointment, now);
}

/** Whether a family may move a visit to another time at `now`. Source: docs/product.md, Moving. */
export function canMove(appointment: AppointmentWithStatus, now: Date): boolean {
  return isMovable(appointment) && isBeforeSelfServiceDeadline(appointment, now);
}
