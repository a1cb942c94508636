import { MINUTE_MS } from "../time-units.ts";
import type { AppointmentWithStatus } from "./appointment-status.ts";

/** Minutes before the start at which the waiting room opens. Source: docs/product.md, Limits. */
export const ROOM_OPENS_MINUTES_BEFORE = 10;
/** Minutes after the end at which the room closes, for late families. Source: docs/product.md, Limits. */
export const ROOM_CLOSES_MINUTES_AFTER = 30;

export type RoomLink = "waiting-room" | "join-now" | null;
export const ROOM_LINK_LABELS: Readonly<Record<NonNullable<RoomLink>, string>> = {
  "waiting-room": "Waiting Room",
  "join-now": "Join call now",
};

/** Returns when the room of a visit that begins at `start` opens. */
export function roomOpensAt(start: Date): Date {
  return new Date(start.getTime() - ROOM_OPENS_MINUTES_BEFORE * MINUTE_MS);
}

type VideoAppointment = AppointmentWithStatus & { isLiveVideoCall: boolean };
type EndableAppointment = VideoAppointment & { callEndedAt: Date | null };

/**
 * Returns which link to the video room a client is offered at `now`; null while the room is closed or after the call
 * was ended.
 */
export function offeredRoomLink(appointment: EndableAppointment, now: Date): RoomLink {
  if (!isRoomOpen(appointment, now) || appointment.callEndedAt) return null;
  return now < appointment.appointmentDate ? "waiting-room" : "join-now";
}

/** Checks whether both sides may enter the video room at `now`, by the server's clock. */
export function isRoomOpen(appointment: VideoAppointment, now: Date): boolean {
  if (!appointment.isLiveVideoCall || appointment.status === "cancelled") return false;
  const { appointmentDate: start, duration } = appointment;
  const closesAt = start.getTime() + (duration + ROOM_CLOSES_MINUTES_AFTER) * MINUTE_MS;
  return now >= roomOpensAt(start) && now.getTime() <= closesAt;
}
