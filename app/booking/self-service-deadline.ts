import { HOUR_MS } from "../time-units.ts";
import { type AppointmentWithStatus, isMovable } from "./appointment-status.ts";

/**
 * Hours before the start until which a family can move a visit, or cancel it without a fee. Source: terms of service.
 */
export const SELF_SERVICE_DEADLINE_HOURS = 24;

/** Returns the last moment at which a family can move a visit at `start`, or cancel it without a fee. */
export function selfServiceDeadline(start: Date): Date {
  return new Date(start.getTime() - SELF_SERVICE_DEADLINE_HOURS * HOUR_MS);
}

export function isBeforeSelfServiceDeadline({ appointmentDate }: { appointmentDate: Date }, now: Date): boolean {
  return now <= selfServiceDeadline(appointmentDate);
}

/** Checks whether a family can move an upcoming visit only by phone, because it starts too soon. */
export function isMovableByPhoneOnly(appointment: AppointmentWithStatus, now: Date): boolean {
  return isMovable(appointment) && appointment.appointmentDate > now && !canFamilyMove(appointment, now);
}

/** Checks whether a family may move a visit to another time at `now`. Source: docs/product.md, Moving. */
export function canFamilyMove(appointment: AppointmentWithStatus, now: Date): boolean {
  return isMovable(appointment) && isBeforeSelfServiceDeadline(appointment, now);
}
