import { addMinutes } from "date-fns/addMinutes";
import type { DayHours } from "../../booking/booking-rules.ts";
import { formatTimeOfDay, nextDay, startOfDay, wallTimeToInstant, toWallTime } from "../../booking/wall-time.ts";
import { HOUR_MS, MINUTE_MS } from "../../time-units.ts";
import {
  minutesUntilNextVisit,
  HALF_HOUR_MINUTES,
  isVisitWithinHours,
  RESCHEDULE_MINUTES_OF_HOUR,
  startConflict,
} from "./start-times.ts";

const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;
/** Hours that are shown if the days have neither hours nor visits. */
const [DEFAULT_FIRST_HOUR, DEFAULT_END_HOUR] = [9, 17];

/** Positions and heights in the grid are multiples of five minutes. */
export const GRID_UNIT_MINUTES = 5;
const UNITS_PER_HOUR = MINUTES_PER_HOUR / GRID_UNIT_MINUTES;
const MIN_VISIT_UNITS = 3;

type Visit = { id: number; start: string; end: string; isCancelled: boolean };
export type GridDay<V extends Visit> = { day: string; hours: DayHours; visits: readonly V[] };
/**
 * `visitToMove` is the visit that needs a new time, with its length in minutes; without it the times are for a new
 * visit.
 */
type GridOptions = { zone: string; now: Date; lastDay: string; visitToMove?: { id: number; duration: number } | null };

/** A clock hour. The hour that a clock change in autumn repeats has a second row. */
export type GridRow = { hour: number; isRepeated: boolean };
export type PositionedVisit<V> = { visit: V; offset: number; height: number };
export type GridCell<V> = {
  start: string;
  /** Which half hours are outside office hours. */
  closedHalves: "none" | "first" | "second" | "both";
  /** The starts that are offered in this hour, such as "14:30": each free half hour, or one for a visit that is moved. */
  times: string[];
  /**
   * The longest gap of at least half an hour that starts in this hour, if it is too short for the visit that is moved.
   */
  shortGap: { minutes: number; offset: number } | null;
  visits: PositionedVisit<V>[];
};

/**
 * Arranges days as columns of clock hours, from the earliest to the latest that is needed. A cell is null if its day
 * has no such hour. A visit is placed in the cell in which it starts, with its height. Canceled visits are left out.
 */
export function buildTimeGrid<V extends Visit>(days: readonly GridDay<V>[], options: GridOptions) {
  const [first, last] = hourRange(days, options.zone);
  const rows: GridRow[] = [];
  for (let hour = first; hour < last; hour += 1) {
    const starts = days.map(({ day }) => hourStarts(day, hour, options.zone));
    if (starts.some(([start]) => start)) rows.push({ hour, isRepeated: false });
    if (starts.some(([, repeated]) => repeated)) rows.push({ hour, isRepeated: true });
  }
  return { rows, columns: days.map((day) => gridColumn(day, rows, options)) };
}

function hourRange<V extends Visit>(days: readonly GridDay<V>[], zone: string): [number, number] {
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { day, hours, visits } of days) {
    if (hours) starts.push(hours.opens);
    if (hours) ends.push(hours.closes);
    for (const visit of visits.filter(({ isCancelled }) => !isCancelled)) {
      const end = toWallTime(new Date(visit.end), zone);
      starts.push(toWallTime(new Date(visit.start), zone).minutes);
      ends.push(end.day === day ? end.minutes : HOURS_PER_DAY * MINUTES_PER_HOUR);
    }
  }
  if (starts.length === 0) return [DEFAULT_FIRST_HOUR, DEFAULT_END_HOUR];
  return [Math.floor(Math.min(...starts) / MINUTES_PER_HOUR), Math.ceil(Math.max(...ends) / MINUTES_PER_HOUR)];
}

/**
 * Returns the instants at which a clock hour of a day begins: none if a clock change skips it, two if it repeats it.
 */
function hourStarts(day: string, hour: number, zone: string): Date[] {
  const start = wallTimeToInstant(day, hour * MINUTES_PER_HOUR, zone);
  if (!start) return [];
  const next = new Date(start.getTime() + HOUR_MS);
  const wallTime = toWallTime(next, zone);
  return wallTime.day === day && wallTime.minutes === hour * MINUTES_PER_HOUR ? [start, next] : [start];
}

function gridColumn<V extends Visit>({ day, hours, visits }: GridDay<V>, rows: GridRow[], options: GridOptions) {
  const { zone, lastDay } = options;
  const shown = visits.filter(({ isCancelled }) => !isCancelled);
  const hourStartsOfDay = rows.map(({ hour, isRepeated }) => hourStarts(day, hour, zone)[isRepeated ? 1 : 0] ?? null);
  const endOfDay = startOfDay(nextDay(day), zone);
  return hourStartsOfDay.map((start, index): GridCell<V> | null => {
    const row = rows[index];
    if (!start || !row) return null;
    const isOpen = (minutes: number) =>
      hours !== null &&
      row.hour * MINUTES_PER_HOUR + minutes >= hours.opens &&
      row.hour * MINUTES_PER_HOUR + minutes < hours.closes;
    const isOffered = !row.isRepeated && day <= lastDay;
    const starts = isOffered ? offeredStarts({ hour: row.hour, start, hours }, shown, options) : [];
    const [first, second] = [isOpen(0), isOpen(HALF_HOUR_MINUTES)];
    return {
      start: start.toISOString(),
      closedHalves: first ? (second ? "none" : "second") : second ? "first" : "both",
      times: starts.map((minutes) => formatTimeOfDay(row.hour * MINUTES_PER_HOUR + minutes)),
      shortGap: options.visitToMove && starts.length === 0 && isOffered ? longestGap(start, shown, options) : null,
      visits: shown
        .filter((visit) => isInClockHour(visit.start, start))
        .map((visit) => {
          const offset = toGridUnits(new Date(visit.start), hourStartsOfDay);
          const end = new Date(Math.min(Date.parse(visit.end), endOfDay.getTime()));
          const height = Math.max(MIN_VISIT_UNITS, toGridUnits(end, hourStartsOfDay) - offset);
          return { visit, offset: offset % UNITS_PER_HOUR, height };
        }),
    };
  });
}

type Hour = { hour: number; start: Date; hours: DayHours };

/**
 * Returns the minutes of an hour at which a new visit can start. For a visit that is moved, only the best ones are
 * returned: one per hour keeps the list of a phone short, and the next page has the others.
 */
function offeredStarts({ hour, start, hours }: Hour, visits: readonly Visit[], options: GridOptions): number[] {
  const { visitToMove } = options;
  const starts = (visitToMove ? RESCHEDULE_MINUTES_OF_HOUR : [0, HALF_HOUR_MINUTES]).filter(
    (minutes) => startConflict(addMinutes(start, minutes), visits, options) === null,
  );
  if (!visitToMove) return starts;
  const findStartWithinHours = (length: number) =>
    starts.find((minutes) => isVisitWithinHours(hours, hour * MINUTES_PER_HOUR + minutes, length));
  const best = findStartWithinHours(visitToMove.duration) ?? findStartWithinHours(1) ?? starts[0];
  return best === undefined ? [] : [best];
}

/** Returns the longest gap. `offset` is its start, in units from the top of the hour. */
function longestGap(hourStart: Date, visits: readonly Visit[], { now, visitToMove }: GridOptions) {
  const [longest] = RESCHEDULE_MINUTES_OF_HOUR.map((minutes) => ({ minutes, from: addMinutes(hourStart, minutes) }))
    .filter(({ from }) => from > now)
    .map(({ minutes, from }) => ({
      minutes: minutesUntilNextVisit(from, visits, visitToMove?.id),
      offset: minutes / GRID_UNIT_MINUTES,
    }))
    .toSorted((a, b) => b.minutes - a.minutes);
  return longest && longest.minutes >= HALF_HOUR_MINUTES && longest.minutes < (visitToMove?.duration ?? 0)
    ? longest
    : null;
}

function isInClockHour(instant: string, hourStart: Date): boolean {
  const elapsed = Date.parse(instant) - hourStart.getTime();
  return elapsed >= 0 && elapsed < HOUR_MS;
}

/** Returns the position of an instant in a column, in units from the top. The end of an hour is at its bottom. */
function toGridUnits(instant: Date, starts: readonly (Date | null)[]): number {
  const index = starts.findLastIndex((start) => start !== null && start <= instant);
  const start = starts[index];
  if (!start) return 0;
  const minutes = (instant.getTime() - start.getTime()) / MINUTE_MS;
  return index * UNITS_PER_HOUR + Math.floor(minutes / GRID_UNIT_MINUTES);
}

/**
 * Returns the position of the current time in the hour that starts at `hourStart`, in units; null for every other hour.
 */
export function nowOffset(now: string, hourStart: string): number | null {
  if (!isInClockHour(now, new Date(hourStart))) return null;
  return Math.floor((Date.parse(now) - Date.parse(hourStart)) / (GRID_UNIT_MINUTES * MINUTE_MS));
}
