import { endTime } from "./rules.ts";
import { FINAL_STATUSES } from "./statuses.ts";

const MINUTE_MS = 60_000;

/** The waiting room opens this long before the start (specification §9). */
export const ROOM_OPENS_MINUTES_BEFORE = 10;
/** A late family still gets in; the room closes this long after the end (decisions §5.9). */
export const ROOM_CLOSES_MINUTES_AFTER = 30;

export type Tone = "blue" | "green" | "red" | "yellow" | "grey";
export type Badge = { tone: Tone; label: string };
export type Phase = "upcoming" | "now" | "past";
export type RoomEntry = "waiting-room" | "join-now" | null;

type TimedAppointment = { appointmentDate: Date; duration: number };
type AppointmentWithStatus = TimedAppointment & { status: string };
type VideoAppointment = AppointmentWithStatus & { isLiveVideoCall: boolean };

const STATUS_TONES: Record<string, Tone> = {
  scheduled: "blue",
  completed: "green",
  cancelled: "red",
  rescheduled: "yellow",
};

export function statusBadge(status: string): Badge {
  return { tone: STATUS_TONES[status] ?? "grey", label: status };
}

/** Upcoming and past are by date alone; *now* is the part of the past that has not ended. */
export function phase({ appointmentDate, duration }: TimedAppointment, now: Date): Phase {
  if (appointmentDate > now) return "upcoming";
  return endTime({ start: appointmentDate, duration }) > now ? "now" : "past";
}

/** What a row says about itself. One that is over and was never marked otherwise counts as completed. */
export function rowBadge(appointment: AppointmentWithStatus, now: Date): Badge {
  if (appointment.status !== "scheduled") return statusBadge(appointment.status);
  const current = phase(appointment, now);
  if (current === "now") return { tone: "green", label: "Now" };
  return statusBadge(current === "past" ? "completed" : "scheduled");
}

/** Which way into the video room is offered at this moment. */
export function roomEntry(appointment: VideoAppointment, now: Date): RoomEntry {
  if (!isRoomOpen(appointment, now)) return null;
  return now < appointment.appointmentDate ? "waiting-room" : "join-now";
}

/** The server opens the room to both sides within these bounds, by its own clock. */
export function isRoomOpen(appointment: VideoAppointment, now: Date): boolean {
  if (!appointment.isLiveVideoCall || appointment.status === "cancelled") return false;
  const start = appointment.appointmentDate.getTime();
  const opensAt = start - ROOM_OPENS_MINUTES_BEFORE * MINUTE_MS;
  const closesAt = start + (appointment.duration + ROOM_CLOSES_MINUTES_AFTER) * MINUTE_MS;
  return now.getTime() >= opensAt && now.getTime() <= closesAt;
}

/** A client may cancel until the end, unless the visit is marked completed or no-show already (decisions §5.8). */
export function canCancel(appointment: AppointmentWithStatus, now: Date): boolean {
  return mayMove(appointment) && phase(appointment, now) !== "past";
}

/** The administrator may move an appointment until it is cancelled or marked completed or no-show. */
export function mayMove({ status }: { status: string }): boolean {
  return !FINAL_STATUSES.includes(status);
}
