import ical, {
  ICalAlarmType,
  type ICalCalendar,
  ICalCalendarMethod,
  ICalEventClass,
  ICalEventStatus,
} from "ical-generator";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { cachedPracticeDetails } from "../../practice/practice-details.server.ts";
import { agreeByDayBefore, meetingPlace } from "../meeting-place.server.ts";
import { ROOM_OPENS_MINUTES_BEFORE } from "../room-hours.ts";
import type { Appointment } from "../appointments.server.ts";
import { appointmentDetailsPath, APPOINTMENTS_PATH, videoCallPath } from "../paths.ts";
import { endTime } from "../rules.ts";
import { visitKind } from "../visit-kind.ts";

const ALARM_SECONDS_BEFORE = [24 * 3600, 3600];
/** How often a calendar program should read the feed again. */
const FEED_REFRESH_SECONDS = 3600;

/** The columns that a calendar needs: neither titles nor any other free text of a family. */
export const CALENDAR_COLUMNS = {
  id: true,
  appointmentDate: true,
  duration: true,
  status: true,
  isLiveVideoCall: true,
  meetingLink: true,
  calendarSequence: true,
  createdAt: true,
  updatedAt: true,
} as const;

type CalendarAppointment = Pick<Appointment, keyof typeof CALENDAR_COLUMNS> & {
  /** In the consultant's own calendar: the family. */
  familyName?: string;
};

/**
 * An appointment as an iCalendar file (RFC 5545), times in UTC. The UID stays and SEQUENCE rises with each change, so
 * that a later file replaces the earlier one. Calendars are seen by others: neither the service nor the family is named.
 */
export function calendarFileText(appointment: CalendarAppointment): string {
  const isCancelled = appointment.status === "cancelled";
  const calendar = createCalendar(isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH);
  addVisit(calendar, appointment);
  return calendar.toString();
}

/** Appointments as one calendar that a program reads again every hour; each event is that of its calendar file. */
export function calendarFeedText(appointments: CalendarAppointment[]): string {
  const calendar = createCalendar(ICalCalendarMethod.PUBLISH);
  calendar.name(env.practice.name).ttl(FEED_REFRESH_SECONDS);
  for (const each of appointments) addVisit(calendar, each);
  return calendar.toString();
}

function createCalendar(method: ICalCalendarMethod): ICalCalendar {
  return ical({ prodId: { company: env.practice.name, product: "Client portal", language: "EN" }, method });
}

function addVisit(calendar: ICalCalendar, appointment: CalendarAppointment): void {
  const { id, appointmentDate: start, duration, calendarSequence, familyName } = appointment;
  const isCancelled = appointment.status === "cancelled";
  const event = calendar.createEvent({
    id: `appointment-${id}@${new URL(env.origin).hostname}`,
    sequence: calendarSequence,
    stamp: now(),
    created: appointment.createdAt,
    lastModified: appointment.updatedAt,
    start,
    end: endTime({ start, duration }),
    summary: `Visit with ${familyName ?? env.practice.name}`,
    description: descriptionOf(appointment),
    location: locationOf(appointment),
    url: pageOf(appointment),
    // A published or cancelled event must have one (RFC 5546, 3.2.1 and 3.2.5).
    organizer: { name: env.practice.name, email: env.practice.email },
    class: ICalEventClass.PRIVATE,
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  if (!isCancelled)
    for (const trigger of ALARM_SECONDS_BEFORE) event.createAlarm({ type: ICalAlarmType.display, trigger });
}

function pageOf({ id, familyName }: CalendarAppointment): string {
  return `${env.origin}${familyName === undefined ? APPOINTMENTS_PATH : appointmentDetailsPath(id)}`;
}

function descriptionOf(appointment: CalendarAppointment): string {
  const questions = appointment.familyName === undefined ? `\nQuestions: ${env.practice.phone}` : "";
  if (appointment.status === "cancelled") return `This visit is canceled.${questions}`;
  const change = `Move or cancel it: ${pageOf(appointment)}${questions}`;
  const kind = visitKind(appointment);
  if (kind === "in-person" && cachedPracticeDetails().meetingPlace === null)
    return `In person. ${appointment.familyName === undefined ? agreeByDayBefore() : "Agree on the exact place with the family by the day before."}\n${change}`;
  if (kind !== "video") return change;
  return `Video visit. The room opens ${ROOM_OPENS_MINUTES_BEFORE} minutes before the start.\n${change}`;
}

function locationOf(appointment: CalendarAppointment): string {
  const kind = visitKind(appointment);
  if (kind === "video") return `${env.origin}${videoCallPath(appointment.id)}`;
  return kind === "link" ? (appointment.meetingLink ?? "") : meetingPlace();
}
