import { type AppointmentWithStatus, isMovable, timeStatus } from "./appointment-status.ts";
import { roomOpensAt } from "./room-hours.ts";

type LinkAppointment = AppointmentWithStatus & { isLiveVideoCall: boolean; meetingLink: string | null };

/**
 * Returns the link of an online meeting from 10 minutes before its start until its end, as a video visit's room is
 * offered; otherwise null, also if the visit is canceled or concluded, or the stored link is no web address.
 */
export function offeredMeetingLink(appointment: LinkAppointment, now: Date): string | null {
  const { isLiveVideoCall, meetingLink, appointmentDate } = appointment;
  if (isLiveVideoCall || !meetingLink || !isMovable(appointment)) return null;
  if (now < roomOpensAt(appointmentDate) || timeStatus(appointment, now) === "past") return null;
  return isWebAddress(meetingLink) ? meetingLink : null;
}

function isWebAddress(link: string): boolean {
  return /^https?:\/\//i.test(link) && URL.canParse(link);
}
