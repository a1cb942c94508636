import { sqltag as sql } from "@prisma/client/runtime/client";
import { MINUTE_MS } from "../../duration.ts";
import { now } from "../../clock.ts";
import { preparedQuery } from "../../db/client.server.ts";
import { env } from "../../env.server.ts";
import { hoursOverride, officeHoursOf } from "./hours-overrides.server.ts";
import { blockingHolds } from "../holds/holds.server.ts";
import {
  type AppointmentType,
  type OverrideHours,
  endTime,
  MAX_MINUTES,
  SLOT_TAKEN,
  type AvailabilityContext,
  officeHoursProblem,
  slotProblem,
  type SlotRequest,
} from "../rules.ts";
import { nextDay, toInstant, startOfDay, toWallTime } from "../wall-time.ts";

/** Free slots start on the half hour. */
const SLOT_STEP_MINUTES = 30;
const MAX_SEARCH_DAYS = 14;
/** How far ahead a strip of free days looks. */
const MAX_STRIP_DAYS = 28;

type Interval = { from: Date; to: Date };

/**
 * Whether a slot can be booked; `reason` is a sentence that names no other person. `slot.start` is an instant,
 * `duration` minutes. Source: docs/product.md, Availability.
 */
export async function checkAvailability(
  slot: SlotRequest,
  userId: number | null = null,
): Promise<{ available: boolean; reason: string | null }> {
  const reason =
    slotProblem(slot, await availabilityContext(slot.start)) ?? ((await hasConflict(slot, userId)) ? SLOT_TAKEN : null);
  return { available: reason === null, reason };
}

/**
 * Whether an appointment that is not cancelled (except `excludedAppointmentId`), or a time held for somebody else
 * than `userId`, overlaps the wished time; ends may touch.
 */
export async function hasConflict(
  slot: Pick<SlotRequest, "start" | "duration">,
  userId: number | null = null,
  excludedAppointmentId?: number,
): Promise<boolean> {
  const interval = { from: slot.start, to: endTime(slot) };
  return (await findBusyIntervals(interval, userId, excludedAppointmentId)).some((busy) => overlaps(busy, interval));
}

/** A warning for the administrator when the slot is outside office hours; else null. */
export async function outsideHoursWarning(slot: Pick<SlotRequest, "start" | "duration">): Promise<string | null> {
  return officeHoursProblem(slot, await availabilityContext(slot.start));
}

export type SlotSearch = { duration: number; type: AppointmentType; userId?: number; excludedAppointmentId?: number };

/** Free start instants on `day` ("2026-12-07", in the practice's zone), ascending. */
export async function findFreeSlots(day: string, search: SlotSearch): Promise<Date[]> {
  const allowed = await allowedStarts(day, search);
  return allowed.length === 0
    ? []
    : withoutBusy(allowed, search, await findBusyIntervals(...busyQuery(day, day, search)));
}

/**
 * The days from `day` on ("2026-12-07", in the practice's zone) with their free start instants, ascending: the first
 * `count` days that have any within the next `MAX_STRIP_DAYS`. One query.
 */
export async function findFreeDays(
  day: string,
  count: number,
  search: SlotSearch,
): Promise<{ day: string; starts: Date[] }[]> {
  const days = [day];
  while (days.length < MAX_STRIP_DAYS) days.push(nextDay(days.at(-1) ?? day));
  const busy = await findBusyIntervals(...busyQuery(day, days.at(-1) ?? day, search));
  const freeDays: { day: string; starts: Date[] }[] = [];
  for (const each of days) {
    const starts = withoutBusy(await allowedStarts(each, search), search, busy);
    if (starts.length > 0) freeDays.push({ day: each, starts });
    if (freeDays.length === count) break;
  }
  return freeDays;
}

/** The starts of a day that the office hours allow, whoever else is there. */
async function allowedStarts(day: string, { duration, type }: SlotSearch): Promise<Date[]> {
  const context = { zone: env.practice.timeZone, now: now(), day: await hoursOverride(day) };
  return candidateStarts(day, await officeHoursOf(day)).filter(
    (start) => slotProblem({ start, duration, type }, context) === null,
  );
}

function withoutBusy(starts: Date[], { duration }: SlotSearch, busy: readonly Interval[]): Date[] {
  return starts.filter(
    (start) => !busy.some((other) => overlaps(other, { from: start, to: endTime({ start, duration }) })),
  );
}

function busyQuery(firstDay: string, lastDay: string, { userId, excludedAppointmentId }: SlotSearch) {
  const { timeZone } = env.practice;
  const interval = { from: startOfDay(firstDay, timeZone), to: startOfDay(nextDay(lastDay), timeZone) };
  return [interval, userId ?? null, excludedAppointmentId] as const;
}

/** The first day with a free slot, within two weeks from `day` on; else null. */
export async function findNextFreeDay(day: string, search: SlotSearch): Promise<string | null> {
  let next = day;
  for (let tries = 0; tries < MAX_SEARCH_DAYS; tries++, next = nextDay(next)) {
    if ((await findFreeSlots(next, search)).length > 0) return next;
  }
  return null;
}

function candidateStarts(day: string, hours: OverrideHours): Date[] {
  const { timeZone } = env.practice;
  const starts: Date[] = [];
  for (let minutes = hours?.opens ?? 0; minutes < (hours?.closes ?? 0); minutes += SLOT_STEP_MINUTES) {
    const start = toInstant(day, minutes, timeZone);
    if (start) starts.push(start);
  }
  return starts;
}

/** The maximum duration bounds the range below, so that the index can be used. */
async function findBusyIntervals(
  { from, to }: Interval,
  userId: number | null,
  excludedAppointmentId?: number,
): Promise<Interval[]> {
  const earliest = new Date(from.getTime() - MAX_MINUTES * MINUTE_MS);
  const rows = await preparedQuery<{ appointmentDate: Date; duration: number }>(sql`
    SELECT "appointmentDate", "duration" FROM "appointments"
    WHERE "appointmentDate" > ${earliest} AND "appointmentDate" < ${to} AND "status" <> 'cancelled'
    AND "id" <> ${excludedAppointmentId ?? 0}
    UNION ALL ${blockingHolds(earliest, to, userId)}`);
  return rows.map(({ appointmentDate: start, duration }) => ({ from: start, to: endTime({ start, duration }) }));
}

function overlaps(one: Interval, other: Interval): boolean {
  return one.from < other.to && other.from < one.to;
}

/** The current time, the practice's zone, and the override of office hours on the slot's day. */
export async function availabilityContext(start: Date): Promise<AvailabilityContext> {
  const { timeZone } = env.practice;
  return { zone: timeZone, now: now(), day: await hoursOverride(toWallTime(start, timeZone).day) };
}
