import { assertAdministrator } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { DAY_MS, MINUTE_MS } from "../../time-units.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { type Outcome, refused } from "../../http/outcome.ts";
import { formatShortDateTime, formatTime, zoneAbbreviation } from "../../ui/format-date-time.ts";
import { type Appointment, findAppointment } from "../find-appointment.server.ts";
import { findNextDaysWithFreeStarts, schedulingWarning } from "../availability/availability.server.ts";
import { sortByDistance } from "../availability/nearest-times.server.ts";
import { bookToPayInPerson } from "../book-appointment.server.ts";
import { knownServiceTitle, titleWithoutClientName } from "../prices/service-catalog.ts";
import type { AppointmentType } from "../booking-rules.ts";
import { addCalendarDays, startOfDay, wallTimeToInstant, toWallTime } from "../wall-time.ts";

const DAYS_PER_WEEK = 7;
const NEXT_VISIT_PRESETS = [
  { weeks: 1, afterPast: "In one week", afterComing: "One week later" },
  { weeks: 2, afterPast: "In two weeks", afterComing: "Two weeks later" },
  { weeks: 4, afterPast: "In four weeks", afterComing: "Four weeks later" },
] as const;
/** Maximum distance of a free time offered instead of the same wall time. */
const MAX_DISTANCE_MS = 3 * DAY_MS;
/** More days than `findNextDaysWithFreeStarts` looks ahead, so that the number of days is not limited here. */
const UNLIMITED_DAY_COUNT = 60;

/** `value` is an instant, ISO 8601 UTC. `when` is the time in words, with the same wall time if that is not free. */
export type NextVisitChoice = { value: string; label: string; when: string };

type Visit = { start: string; duration: number };

/**
 * Returns choices for the next visit after this one: one, two and four weeks later at the same wall time, or at the
 * nearest free time within office hours. For an older visit, the weeks are counted from the most recent day with the
 * same weekday. One query.
 */
export async function findNextVisitChoices({ start, duration }: Visit): Promise<NextVisitChoice[]> {
  const { timeZone } = env.practice;
  const { day, minutes } = toWallTime(new Date(start), timeZone);
  const passedWeeks = Math.max(0, Math.floor((now().getTime() - Date.parse(start)) / (DAYS_PER_WEEK * DAY_MS)));
  const isUpcoming = new Date(start) > now();
  const targets = NEXT_VISIT_PRESETS.map(({ weeks, afterPast, afterComing }) => {
    const date = addCalendarDays(day, (passedWeeks + weeks) * DAYS_PER_WEEK);
    const midnight = startOfDay(date, timeZone);
    const label = isUpcoming ? afterComing : afterPast;
    return {
      label,
      at: wallTimeToInstant(date, minutes, timeZone) ?? new Date(midnight.getTime() + minutes * MINUTE_MS),
    };
  });
  const [first] = targets;
  if (!first) return [];
  const from = new Date(Math.max(now().getTime(), first.at.getTime() - DAY_MS));
  const search = { duration, type: "consultation" as const, ignoresNotice: true, minutes };
  const days = await findNextDaysWithFreeStarts(toWallTime(from, timeZone).day, UNLIMITED_DAY_COUNT, search);
  const starts = days.flatMap((each) => each.starts);
  return targets.flatMap(({ label, at }) => {
    const free = pickNearestStart(starts, at);
    return free ? [toChoice(label, free, at)] : [];
  });
}

/** Returns a sentence about the family's next upcoming visit; null when there is none. */
export async function findAlreadyBookedText(userId: number): Promise<string | null> {
  const booked = await db.appointment.findFirst({
    where: { userId, appointmentDate: { gt: now() }, status: { not: "cancelled" } },
    orderBy: [{ appointmentDate: "asc" }, { id: "asc" }],
    select: { title: true, appointmentDate: true },
  });
  return booked && alreadyBookedText({ title: booked.title, start: booked.appointmentDate });
}

export function alreadyBookedText({ title, start }: { title: string; start: Date | string }): string {
  const { timeZone } = env.practice;
  return `Already booked: ${formatShortDateTime(start, timeZone)} ${zoneAbbreviation(start, timeZone)} (${title}).`;
}

function pickNearestStart(starts: readonly Date[], to: Date): Date | undefined {
  const [first] = sortByDistance(starts, to);
  return first && Math.abs(first.getTime() - to.getTime()) <= MAX_DISTANCE_MS ? first : undefined;
}

function toChoice(label: string, start: Date, requested: Date): NextVisitChoice {
  const { timeZone } = env.practice;
  const unavailableNote =
    start.getTime() === requested.getTime() ? "" : ` (${formatTime(requested, timeZone)} is not free)`;
  return {
    value: start.toISOString(),
    label,
    when: `${formatShortDateTime(start, timeZone)}${unavailableNote}`,
  };
}

/**
 * Books a visit like appointment `id` (service, length, kind of meeting) for its family at `start` (an instant), to be
 * paid in person. If the family already has a visit of that length then, because the form was sent twice, returns that
 * visit. For the administrator. Refusals: those of `bookToPayInPerson`; notFound (with `userId`, also a visit of
 * another family), invalid (no family's account), conflict (outside office hours, or within the pause of another
 * visit).
 */
export async function bookNextVisit(
  person: Person,
  { id, userId: familyId, start }: { id: number | null; userId?: number; start: Date },
  ip: string,
): Promise<Outcome<Appointment>> {
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const { userId, duration, meetingLink, isLiveVideoCall } = found.value;
  if (familyId !== undefined && userId !== familyId) return refused("notFound", "This family has no such visit.");
  if (userId === null) return refused("invalid", "No family’s account has this visit, so none can be booked after it.");
  const existing = await db.appointment.findFirst({
    where: { userId, appointmentDate: start, duration, status: { not: "cancelled" } },
    select: { id: true },
  });
  if (existing) return findAppointment(person, existing.id);
  const warning = await schedulingWarning({ start, duration });
  if (warning) return refused("conflict", warning);
  const fields = {
    title: titleWithoutClientName(found.value),
    appointmentDate: start,
    duration,
    type: nextType(found.value),
    isLiveVideoCall,
    meetingLink: meetingLink ?? undefined,
    // Not repeated, because nobody is asked where the next visit takes place.
    place: undefined,
    description: undefined,
    notes: undefined,
    userId,
  };
  return bookToPayInPerson(person, fields, { ip, ignoresSchedulingRules: true });
}

/** Returns the type of the next visit. Emergencies are not repeated. */
function nextType({ type }: Appointment): AppointmentType {
  return type === "follow-up" ? "follow-up" : "consultation";
}

/**
 * Returns the initial values of the booking form after visit `id` of the family `userId`; empty if the visit does not
 * belong to that family.
 */
export async function findNextVisitDefaults(person: Person, id: number, userId: number) {
  const found = await findAppointment(person, id);
  if (!found.ok || found.value.userId !== userId) return {};
  const { duration, isLiveVideoCall, meetingLink, place } = found.value;
  return {
    title: titleWithoutClientName(found.value),
    type: nextType(found.value),
    duration: String(duration),
    isLiveVideoCall: isLiveVideoCall ? "on" : "",
    meetingLink: meetingLink ?? "",
    place: place ?? "",
  };
}

/**
 * Returns the initial values of the booking form for the family `userId`: service, length, and video or in person as in
 * its last visit. Empty if that was not one of the practice's services.
 */
export async function findLastVisitDefaults(person: Person, userId: number) {
  assertAdministrator(person);
  const last = await db.appointment.findFirst({
    where: { userId, status: { not: "cancelled" } },
    orderBy: [{ appointmentDate: "desc" }, { id: "desc" }],
    select: { title: true, consultationRequestId: true, duration: true, isLiveVideoCall: true },
  });
  const title = last && knownServiceTitle(titleWithoutClientName(last));
  return title ? { title, duration: String(last.duration), isLiveVideoCall: last.isLiveVideoCall ? "on" : "" } : {};
}
