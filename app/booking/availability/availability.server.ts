import { addMinutes } from "date-fns/addMinutes";
import { sqltag as sql } from "@prisma/client/runtime/client";
import { MINUTE_MS } from "../../time-units.ts";
import { now } from "../../clock.ts";
import { runPreparedQuery } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { getCachedSchedulingRules } from "../../practice/practice-settings.server.ts";
import { findHoursOverride, findOfficeHours } from "./hours-overrides.server.ts";
import { blockingHoldsSql, hasNonEmergencyHold } from "../holds/blocking-holds.server.ts";
import {
  type AppointmentType,
  type DayHours,
  endTime,
  MAX_VISIT_MINUTES,
  SLOT_TAKEN_MESSAGE,
  type BookingRuleContext,
  minimumNoticeError,
  officeHoursError,
  slotError,
  type SlotRequest,
} from "../booking-rules.ts";
import { nextDay, wallTimeToInstant, startOfDay, toWallTime } from "../wall-time.ts";

/** Interval between the starts of free slots: every half hour. */
const SLOT_STEP_MINUTES = 30;
/** Number of days that a strip of free days looks ahead. */
const MAX_LOOKAHEAD_DAYS = 28;
const NO_FULL_DAYS: FullDaySelection = { count: 0, includes: async () => false };

type Interval = { from: Date; to: Date };

/**
 * Checks whether a slot can be booked. `reason` is a sentence that never names another person. `slot.start` is an
 * instant, `duration` is in minutes. Source: docs/product.md, Availability.
 */
export async function checkAvailability(
  slot: SlotRequest,
  userId: number | null = null,
): Promise<{ available: boolean; reason: string | null }> {
  const { pauseMinutes } = await getCachedSchedulingRules();
  const reason =
    (await bookingRuleError(slot, userId)) ??
    ((await hasConflict(slot, { userId, pauseMinutes })) ? SLOT_TAKEN_MESSAGE : null);
  return { available: reason === null, reason };
}

/**
 * Checks `slotError` against the current hours and notice. Ignores the notice for a time that `userId` holds, because
 * the notice was checked when the time was chosen.
 */
export async function bookingRuleError(slot: SlotRequest, userId: number | null): Promise<string | null> {
  const context = await bookingRuleContext(slot.start);
  const error = slotError(slot, context);
  const isNoticeError = error !== null && error === minimumNoticeError(slot.start, context);
  return isNoticeError && (await hasNonEmergencyHold(userId, slot.start)) ? null : error;
}

type ConflictOptions = {
  userId?: number | null;
  excludedAppointmentId?: number;
  /** Minutes between this visit and the one before or after it. With 0, visits may follow each other directly. */
  pauseMinutes: number;
};

/**
 * Checks whether the requested time overlaps, or is within the pause of, an appointment that is not canceled (except
 * `excludedAppointmentId`) or a time held for another person than `userId`. Concurrent bookings in different processes
 * can leave less than the pause, because the database rejects only overlaps.
 */
export async function hasConflict(
  slot: Pick<SlotRequest, "start" | "duration">,
  { userId = null, excludedAppointmentId, pauseMinutes }: ConflictOptions,
): Promise<boolean> {
  const interval = withPause({ from: slot.start, to: endTime(slot) }, pauseMinutes);
  return (await findBusyIntervals(interval, userId, excludedAppointmentId)).some((busy) => overlaps(busy, interval));
}

/** Returns a warning when the slot is outside office hours, otherwise null. */
export async function outsideHoursWarning(slot: Pick<SlotRequest, "start" | "duration">): Promise<string | null> {
  return officeHoursError(slot, await bookingRuleContext(slot.start));
}

/**
 * Returns a warning for the administrator when the slot is outside office hours or leaves less than her pause,
 * otherwise null.
 */
export async function schedulingWarning(
  slot: Pick<SlotRequest, "start" | "duration">,
  excludedAppointmentId?: number,
): Promise<string | null> {
  const outsideHours = await outsideHoursWarning(slot);
  const { pauseMinutes } = await getCachedSchedulingRules();
  if (outsideHours || pauseMinutes === 0) return outsideHours;
  const hasConflictWithPause = (pause: number) => hasConflict(slot, { excludedAppointmentId, pauseMinutes: pause });
  return (await hasConflictWithPause(pauseMinutes)) && !(await hasConflictWithPause(0))
    ? `That leaves less than your pause of ${pauseMinutes} minutes to another visit.`
    : null;
}

export type SlotSearchOptions = {
  duration: number;
  type: AppointmentType;
  userId?: number;
  excludedAppointmentId?: number;
  /** Set for the administrator, who needs no notice. */
  ignoresNotice?: boolean;
  /** Additional start besides the half hours, in minutes after midnight. */
  minutes?: number;
};

/** Returns the free start instants on `day` ("2026-12-07", in the practice's time zone), ascending. */
export async function findFreeSlots(day: string, search: SlotSearchOptions): Promise<Date[]> {
  const allowed = await allowedStarts(day, search);
  const { pauseMinutes } = await getCachedSchedulingRules();
  return allowed.length === 0
    ? []
    : excludeBusyStarts(
        allowed,
        search,
        await findBusyIntervals(...busyIntervalArguments(day, day, search, pauseMinutes)),
        pauseMinutes,
      );
}

/** Selects the full days (open, but without a free start) to list among the free ones: at most `count`. */
export type FullDaySelection = { count: number; includes: (day: string) => Promise<boolean> };

/**
 * Returns the days from `day` on ("2026-12-07", in the practice's time zone) with their free start instants, ascending.
 * Contains the first `count` days within the next `MAX_LOOKAHEAD_DAYS` that have free starts or are among `fullDays`.
 * One query.
 */
export async function findNextDaysWithFreeStarts(
  day: string,
  count: number,
  search: SlotSearchOptions,
  fullDays: FullDaySelection = NO_FULL_DAYS,
): Promise<{ day: string; starts: Date[] }[]> {
  const days = [day];
  while (days.length < MAX_LOOKAHEAD_DAYS) days.push(nextDay(days.at(-1) ?? day));
  const { pauseMinutes } = await getCachedSchedulingRules();
  const busy = await findBusyIntervals(...busyIntervalArguments(day, days.at(-1) ?? day, search, pauseMinutes));
  const found: { day: string; starts: Date[] }[] = [];
  let fullCount = 0;
  for (const each of days) {
    const allowed = await allowedStarts(each, search);
    const starts = excludeBusyStarts(allowed, search, busy, pauseMinutes);
    const isFull = starts.length === 0 && allowed.length > 0;
    const isListedFullDay = isFull && fullCount < fullDays.count && (await fullDays.includes(each));
    if (isListedFullDay) fullCount += 1;
    if (starts.length > 0 || isListedFullDay) found.push({ day: each, starts });
    if (found.length === count) break;
  }
  return found;
}

/** Returns the starts of a day that the booking rules allow, regardless of other appointments. */
async function allowedStarts(
  day: string,
  { duration, type, ignoresNotice, minutes }: SlotSearchOptions,
): Promise<Date[]> {
  const context = await bookingRuleContextOfDay(day);
  if (ignoresNotice) context.noticeMinutes = 0;
  return candidateStarts(day, await findOfficeHours(day), minutes).filter(
    (start) => slotError({ start, duration, type }, context) === null,
  );
}

function excludeBusyStarts(
  starts: Date[],
  { duration }: SlotSearchOptions,
  busy: readonly Interval[],
  pauseMinutes: number,
): Date[] {
  return starts.filter((start) => {
    const interval = withPause({ from: start, to: endTime({ start, duration }) }, pauseMinutes);
    return !busy.some((other) => overlaps(other, interval));
  });
}

function busyIntervalArguments(
  firstDay: string,
  lastDay: string,
  { userId, excludedAppointmentId }: SlotSearchOptions,
  pauseMinutes: number,
) {
  const { timeZone } = env.practice;
  const interval = { from: startOfDay(firstDay, timeZone), to: startOfDay(nextDay(lastDay), timeZone) };
  return [withPause(interval, pauseMinutes), userId ?? null, excludedAppointmentId] as const;
}

function candidateStarts(day: string, hours: DayHours, additional?: number): Date[] {
  const candidates = new Set(additional === undefined ? [] : [additional]);
  for (let minutes = hours?.opens ?? 0; minutes < (hours?.closes ?? 0); minutes += SLOT_STEP_MINUTES)
    candidates.add(minutes);
  return [...candidates]
    .toSorted((a, b) => a - b)
    .flatMap((minutes) => wallTimeToInstant(day, minutes, env.practice.timeZone) ?? []);
}

/**
 * Returns the appointments and blocking holds in an interval. The maximum duration bounds the range, so that the index
 * can be used.
 */
async function findBusyIntervals(
  { from, to }: Interval,
  userId: number | null,
  excludedAppointmentId?: number,
): Promise<Interval[]> {
  const earliest = new Date(from.getTime() - MAX_VISIT_MINUTES * MINUTE_MS);
  const rows = await runPreparedQuery<{ appointmentDate: Date; duration: number }>(sql`
    SELECT "appointmentDate", "duration" FROM "appointments"
    WHERE "appointmentDate" > ${earliest} AND "appointmentDate" < ${to} AND "status" <> 'cancelled'
    AND "id" <> ${excludedAppointmentId ?? 0}
    UNION ALL ${blockingHoldsSql(earliest, to, userId)}`);
  return rows.map(({ appointmentDate: start, duration }) => ({ from: start, to: endTime({ start, duration }) }));
}

function withPause({ from, to }: Interval, pauseMinutes: number): Interval {
  return { from: addMinutes(from, -pauseMinutes), to: addMinutes(to, pauseMinutes) };
}

function overlaps(one: Interval, other: Interval): boolean {
  return one.from < other.to && other.from < one.to;
}

/** Returns the data that a slot starting at `start` (an instant) is currently checked against. */
export function bookingRuleContext(start: Date): Promise<BookingRuleContext> {
  return bookingRuleContextOfDay(toWallTime(start, env.practice.timeZone).day);
}

async function bookingRuleContextOfDay(day: string): Promise<BookingRuleContext> {
  const { week: weeklyHours, noticeMinutes } = await getCachedSchedulingRules();
  return {
    zone: env.practice.timeZone,
    now: now(),
    weeklyHours,
    noticeMinutes,
    hoursOverride: await findHoursOverride(day),
  };
}
