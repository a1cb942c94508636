import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventClass, ICalEventStatus } from "ical-generator";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { LOCATION } from "../../practice/facts.ts";
import { ROOM_OPENS_MINUTES_BEFORE } from "../appointment-status.ts";
import type { Appointment } from "../appointments.server.ts";
import { APPOINTMENTS_PATH, videoCallPath } from "../paths.ts";
import { endTime } from "../rules.ts";
import { visitKind } from "../visit-kind.ts";

const ALARM_SECONDS_BEFORE = [24 * 3600, 3600];

type CalendarAppointment = Pick<
  Appointment,
  | "id"
  | "appointmentDate"
  | "duration"
  | "status"
  | "isLiveVideoCall"
  | "meetingLink"
  | "calendarSequence"
  | "createdAt"
  | "updatedAt"
>;

/**
 * An appointment as an iCalendar file (RFC 5545), times in UTC. The UID stays and SEQUENCE rises with each change, so
 * that a later file replaces the earlier one. Calendars are seen by others: neither the service nor the family is named.
 */
export function calendarFile(appointment: CalendarAppointment): string {
  const { id, appointmentDate: start, duration, calendarSequence } = appointment;
  const isCancelled = appointment.status === "cancelled";
  const calendar = ical({
    prodId: { company: env.practice.name, product: "Client portal", language: "EN" },
    method: isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
  });
  const event = calendar.createEvent({
    id: `appointment-${id}@${new URL(env.origin).hostname}`,
    sequence: calendarSequence,
    stamp: now(),
    created: appointment.createdAt,
    lastModified: appointment.updatedAt,
    start,
    end: endTime({ start, duration }),
    summary: `Visit with ${env.practice.name}`,
    description: descriptionOf(appointment),
    location: locationOf(appointment),
    url: `${env.origin}${APPOINTMENTS_PATH}`,
    class: ICalEventClass.PRIVATE,
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  if (!isCancelled)
    for (const trigger of ALARM_SECONDS_BEFORE) event.createAlarm({ type: ICalAlarmType.display, trigger });
  return calendar.toString();
}

function descriptionOf(appointment: CalendarAppointment): string {
  const change = `Move or cancel it: ${env.origin}${APPOINTMENTS_PATH}\nQuestions: ${env.practice.phone}`;
  if (appointment.status === "cancelled") return `This visit is cancelled.\n${change}`;
  if (visitKind(appointment) !== "video") return change;
  return `Video visit. The room opens ${ROOM_OPENS_MINUTES_BEFORE} minutes before the start.\n${change}`;
}

function locationOf(appointment: CalendarAppointment): string {
  const kind = visitKind(appointment);
  if (kind === "video") return `${env.origin}${videoCallPath(appointment.id)}`;
  return kind === "link" ? (appointment.meetingLink ?? "") : LOCATION;
}
