import { createHash } from "node:crypto";
import ical, {
  ICalAlarmType,
  type ICalCalendar,
  ICalCalendarMethod,
  ICalEventClass,
  ICalEventStatus,
} from "ical-generator";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { agreeByDayBeforeText, agreedPlace, meetingPlace, type Places } from "../meeting-place.server.ts";
import { ROOM_OPENS_MINUTES_BEFORE } from "../room-hours.ts";
import type { Appointment } from "../find-appointment.server.ts";
import { appointmentDetailsPath, APPOINTMENTS_PATH, videoCallPath } from "../appointment-paths.ts";
import { endTime } from "../booking-rules.ts";
import { ownPlace, visitKind } from "../visit-kind.ts";

const ALARM_SECONDS_BEFORE = [24 * 3600, 3600];
/** Interval at which calendar programs should reload the feed. */
const FEED_REFRESH_SECONDS = 3600;

/** Columns that a calendar needs. Excludes titles and all free text of families but the place. */
export const CALENDAR_SELECT = {
  id: true,
  appointmentDate: true,
  duration: true,
  status: true,
  isLiveVideoCall: true,
  meetingLink: true,
  place: true,
  calendarSequence: true,
  createdAt: true,
  updatedAt: true,
} as const;

type CalendarAppointment = Pick<Appointment, keyof typeof CALENDAR_SELECT> &
  Places & {
    /** Name of the family. Set only in the consultant's own calendar. */
    familyName?: string;
  };

/** Matches the alarms of an event, and the event's lines that the library writes after them. */
const ALARMS_AND_LATER_LINES = /((?:^BEGIN:VALARM\r\n[^]*?^END:VALARM\r\n)+)([^]*?)(?=^END:VEVENT\r\n)/gm;

/**
 * Returns an appointment as an iCalendar file (RFC 5545), with times in UTC. The UID never changes and SEQUENCE
 * increases with each change, so that a later file replaces the earlier one. Names neither the service nor the family,
 * because other people may see the calendar. With `hidesTypedText`, a place or link that somebody typed is replaced by
 * the address of the visit's page.
 */
export function calendarFileText(
  appointment: CalendarAppointment,
  { hidesTypedText = false }: { hidesTypedText?: boolean } = {},
): string {
  const isCanceled = appointment.status === "cancelled";
  const calendar = createCalendar(isCanceled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH);
  addVisit(calendar, appointment, hidesTypedText ? visitPageUrl(appointment) : null);
  return serializeCalendar(calendar);
}

/**
 * Returns appointments as one calendar that a program reloads every hour. Each event is the same as in its calendar
 * file.
 */
export function calendarFeedText(appointments: CalendarAppointment[]): string {
  const calendar = createCalendar(ICalCalendarMethod.PUBLISH);
  calendar.name(escapeText(env.practice.name)).ttl(FEED_REFRESH_SECONDS);
  for (const each of appointments) addVisit(calendar, each);
  return serializeCalendar(calendar);
}

/**
 * Converts the calendar to text that follows RFC 5545: an event's own lines precede its alarms (3.6.1), and every line,
 * including the last, ends with CRLF (3.1).
 */
function serializeCalendar(calendar: ICalCalendar): string {
  return `${calendar.toString().replace(ALARMS_AND_LATER_LINES, "$2$1")}\r\n`;
}

/** Escapes a text of the calendar (RFC 5545, 3.3.11). ical-generator escapes only the texts of events. */
function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, String.raw`\$&`);
}

function createCalendar(method: ICalCalendarMethod): ICalCalendar {
  return ical({ prodId: { company: escapeText(env.practice.name), product: "Client portal", language: "EN" }, method });
}

function addVisit(
  calendar: ICalCalendar,
  appointment: CalendarAppointment,
  typedTextReplacement: string | null = null,
): void {
  const { appointmentDate: start, duration, calendarSequence, familyName } = appointment;
  const isCanceled = appointment.status === "cancelled";
  const event = calendar.createEvent({
    id: uidOf(appointment),
    sequence: calendarSequence,
    stamp: now(),
    created: appointment.createdAt,
    lastModified: appointment.updatedAt,
    start,
    end: endTime({ start, duration }),
    summary: `Visit with ${familyName ?? env.practice.name}`,
    description: descriptionOf(appointment),
    location: locationOf(appointment, typedTextReplacement),
    url: visitPageUrl(appointment),
    // RFC 5546, 3.2.1 and 3.2.5, requires an organizer in a published or canceled event.
    organizer: { name: env.practice.name, email: env.practice.email },
    class: ICalEventClass.PRIVATE,
    status: isCanceled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  if (!isCanceled)
    for (const trigger of ALARM_SECONDS_BEFORE) event.createAlarm({ type: ICalAlarmType.display, trigger });
}

/**
 * Returns the visit's UID: a UUID (RFC 9562, version 8) derived from values of its row that never change. With another
 * UID, a calendar would show the visit twice, so it must not depend on any setting such as the site's address.
 */
function uidOf({ id, createdAt }: CalendarAppointment): string {
  const hash = createHash("sha256").update(`appointment ${id} ${createdAt.toISOString()}`).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function visitPageUrl({ id, familyName }: CalendarAppointment): string {
  return `${env.origin}${familyName === undefined ? APPOINTMENTS_PATH : appointmentDetailsPath(id)}`;
}

function descriptionOf(appointment: CalendarAppointment): string {
  const questions = appointment.familyName === undefined ? `\nQuestions: ${env.practice.phone}` : "";
  if (appointment.status === "cancelled") return `This visit is canceled.${questions}`;
  const change = `Move or cancel it: ${visitPageUrl(appointment)}${questions}`;
  const kind = visitKind(appointment);
  if (kind === "in-person" && agreedPlace(appointment) === null)
    return `In person. ${appointment.familyName === undefined ? agreeByDayBeforeText() : "Agree on the exact place with the family by the day before."}\n${change}`;
  if (kind !== "video") return change;
  return `Video visit. The room opens ${ROOM_OPENS_MINUTES_BEFORE} minutes before the start.\n${change}`;
}

/** Returns the location; `typedTextReplacement` instead of a place or link that somebody typed, unless it is null. */
function locationOf(appointment: CalendarAppointment, typedTextReplacement: string | null): string {
  const kind = visitKind(appointment);
  if (typedTextReplacement !== null && (kind === "link" || ownPlace(appointment) !== null)) return typedTextReplacement;
  if (kind === "video") return `${env.origin}${videoCallPath(appointment.id)}`;
  return kind === "link" ? (appointment.meetingLink ?? "") : meetingPlace(appointment);
}
