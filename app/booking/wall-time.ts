import { tzOffset } from "@date-fns/tz/tzOffset";
import { addDays } from "date-fns/addDays";
import { MINUTE_MS, DAY_MS } from "../time-units.ts";

const QUARTER_HOUR_MS = 15 * MINUTE_MS;

/**
 * Wall time in the practice's time zone: `day` is "2026-12-07", `minutes` counts from midnight, `weekday` starts at
 * Sunday (0).
 */
export type WallTime = { day: string; weekday: number; minutes: number };

/** Returns the wall time in `zone` at `instant`, independent of the process's own time zone. */
export function toWallTime(instant: Date, zone: string): WallTime {
  const shifted = new Date(instant.getTime() + utcOffsetMinutes(zone, instant) * MINUTE_MS);
  return {
    day: shifted.toISOString().slice(0, 10),
    weekday: shifted.getUTCDay(),
    minutes: shifted.getUTCHours() * 60 + shifted.getUTCMinutes(),
  };
}

/**
 * Converts wall time to an instant: `minutes` after midnight on `day` in `zone`. Returns the first occurrence of an
 * ambiguous time (autumn), and null for a nonexistent time (spring).
 */
export function wallTimeToInstant(day: string, minutes: number, zone: string): Date | null {
  const shifted = Date.parse(`${day}T00:00Z`) + minutes * MINUTE_MS;
  const candidates = candidateOffsets(shifted, zone)
    .map((offset) => new Date(shifted - offset * MINUTE_MS))
    .filter((instant) => instant.getTime() + utcOffsetMinutes(zone, instant) * MINUTE_MS === shifted);
  return candidates.sort((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

/**
 * Returns the first instant of `day` in `zone`. Where clocks go forward at midnight, that is the instant of the change.
 */
export function startOfDay(day: string, zone: string): Date {
  const midnight = Date.parse(`${day}T00:00Z`);
  return (
    wallTimeToInstant(day, 0, zone) ??
    new Date(midnight - utcOffsetMinutes(zone, new Date(midnight - DAY_MS)) * MINUTE_MS)
  );
}

/** Returns the calendar day after `day`. */
export function nextDay(day: string): string {
  return addCalendarDays(day, 1);
}

/** Returns the calendar day `count` days after `day`. */
export function addCalendarDays(day: string, count: number): string {
  return addDays(new Date(`${day}T12:00Z`), count)
    .toISOString()
    .slice(0, 10);
}

/** Returns the weekday of a calendar day, starting at Sunday (0). */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00Z`).getUTCDay();
}

/** Returns the Monday of the week that contains `day`. */
export function mondayOf(day: string): string {
  const midnight = Date.parse(`${day}T00:00Z`);
  const daysSinceMonday = (new Date(midnight).getUTCDay() + 6) % 7;
  return new Date(midnight - daysSinceMonday * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the text if it is an existing calendar day such as "2026-12-07" (there is no year 0), otherwise null. */
export function parseDay(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith("0000")) return null;
  const midnight = new Date(`${text}T00:00Z`);
  return Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== text ? null : text;
}

/** Returns the minutes after midnight of a time such as "09:30", otherwise null. */
export function parseTime(text: string): number | null {
  const parts = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return parts ? Number(parts[1]) * 60 + Number(parts[2]) : null;
}

/** Formats minutes after midnight as "09:30". */
export function formatTimeOfDay(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Returns the possible offsets. No zone changes its offset twice within two days, so the true offset is among them. */
function candidateOffsets(shifted: number, zone: string): number[] {
  return [...new Set([shifted - DAY_MS, shifted + DAY_MS].map((near) => utcOffsetMinutes(zone, new Date(near))))];
}

/** Caches the offset of each quarter hour, because offsets change only on a quarter hour. */
const offsetCache = new Map<string, Map<number, number>>();
const MAX_CACHED_OFFSETS = 10_000;

/** Returns the minutes by which `zone` is ahead of UTC at `instant`. */
function utcOffsetMinutes(zone: string, instant: Date): number {
  const quarter = Math.floor(instant.getTime() / QUARTER_HOUR_MS);
  let zoneOffsets = offsetCache.get(zone);
  if (!zoneOffsets) offsetCache.set(zone, (zoneOffsets = new Map()));
  const cached = zoneOffsets.get(quarter);
  if (cached !== undefined) return cached;
  if (zoneOffsets.size >= MAX_CACHED_OFFSETS) zoneOffsets.clear();
  const offset = tzOffset(zone, instant);
  zoneOffsets.set(quarter, offset);
  return offset;
}
