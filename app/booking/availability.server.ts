import { sqltag as sql } from "@prisma/client/runtime/client";
import { now } from "../clock.ts";
import { preparedQuery } from "../db.server.ts";
import { env } from "../env.server.ts";
import { OFFICE_HOURS } from "../practice/office-hours.ts";
import { hoursOn } from "./day-hours.server.ts";
import { heldSpans } from "./holds.server.ts";
import {
  type AppointmentType,
  type DayHours,
  endOf,
  MAX_MINUTES,
  TAKEN,
  type Terms,
  whyClosed,
  whyNot,
  type Wish,
} from "./rules.ts";
import { dayAfter, instantOf, startOfDay, wallTimeOf } from "./wall-time.ts";

const MINUTE = 60_000;
/** Free times are offered on the half hour. */
const STEP_MINUTES = 30;
const DAYS_LOOKED_AHEAD = 14;

type Span = { from: Date; to: Date };

/**
 * Whether a time can be booked, and if not, why, in a sentence that names no other person (decisions §5.5).
 * `start` is an instant, `duration` minutes.
 */
export async function isFree(
  wish: Wish,
  userId: number | null = null,
): Promise<{ available: boolean; reason: string | null }> {
  const reason = whyNot(wish, await termsOf(wish.start)) ?? ((await isTaken(wish, userId)) ? TAKEN : null);
  return { available: reason === null, reason };
}

/**
 * Whether an appointment that is not cancelled (but for the one named `exceptId`), or a time held for somebody else
 * than `userId`, overlaps the wished time; ends may touch.
 */
export async function isTaken(
  wish: Pick<Wish, "start" | "duration">,
  userId: number | null = null,
  exceptId?: number,
): Promise<boolean> {
  const span = { from: wish.start, to: endOf(wish) };
  return (await busySpans(span, userId, exceptId)).some((busy) => overlap(busy, span));
}

/** Why the consultant should think twice about a time: it lies outside her hours. Else null. */
export async function whyOutsideHours(wish: Pick<Wish, "start" | "duration">): Promise<string | null> {
  return whyClosed(wish, await termsOf(wish.start));
}

type Sought = { duration: number; type: AppointmentType; userId?: number; exceptId?: number };

/** The free starts of `day` ("2026-12-07", a day of the practice's zone), ascending. */
export async function freeTimes(day: string, { duration, type, userId, exceptId }: Sought): Promise<Date[]> {
  const { timeZone } = env.practice;
  const span = { from: startOfDay(day, timeZone), to: startOfDay(dayAfter(day), timeZone) };
  const terms = { zone: timeZone, now: now(), day: await hoursOn(day) };
  const wishes = startsOf(day, terms.day).map((start): Wish => ({ start, duration, type }));
  const possible = wishes.filter((wish) => whyNot(wish, terms) === null);
  if (possible.length === 0) return [];
  const busy = await busySpans(span, userId ?? null, exceptId);
  return possible
    .filter((wish) => !busy.some((other) => overlap(other, { from: wish.start, to: endOf(wish) })))
    .map(({ start }) => start);
}

/** The first day from `day` on, at most two weeks later, that has a free time; else null. */
export async function nextFreeDay(day: string, sought: Sought): Promise<string | null> {
  let next = day;
  for (let tries = 0; tries < DAYS_LOOKED_AHEAD; tries++, next = dayAfter(next)) {
    if ((await freeTimes(next, sought)).length > 0) return next;
  }
  return null;
}

function startsOf(day: string, own: DayHours | undefined): Date[] {
  const { timeZone } = env.practice;
  const hours = own === undefined ? OFFICE_HOURS[wallTimeOf(startOfDay(day, timeZone), timeZone).weekday] : own;
  const starts: Date[] = [];
  for (let minutes = hours?.opens ?? 0; minutes < (hours?.closes ?? 0); minutes += STEP_MINUTES) {
    const start = instantOf(day, minutes, timeZone);
    if (start) starts.push(start);
  }
  return starts;
}

/** The longest appointment bounds the range below, so that the index answers over any number of rows. */
async function busySpans({ from, to }: Span, userId: number | null, exceptId?: number): Promise<Span[]> {
  const earliest = new Date(from.getTime() - MAX_MINUTES * MINUTE);
  const rows = await preparedQuery<{ appointmentDate: Date; duration: number }>(sql`
    SELECT "appointmentDate", "duration" FROM "appointments"
    WHERE "appointmentDate" > ${earliest} AND "appointmentDate" < ${to} AND "status" <> 'cancelled'
    AND "id" <> ${exceptId ?? 0}
    UNION ALL ${heldSpans(earliest, to, userId)}`);
  return rows.map(({ appointmentDate: start, duration }) => ({ from: start, to: endOf({ start, duration }) }));
}

function overlap(one: Span, other: Span): boolean {
  return one.from < other.to && other.from < one.to;
}

/** What a start is judged by: this moment, the practice's zone, and its day's own hours, if it has some. */
export async function termsOf(start: Date): Promise<Terms> {
  const { timeZone } = env.practice;
  return { zone: timeZone, now: now(), day: await hoursOn(wallTimeOf(start, timeZone).day) };
}
