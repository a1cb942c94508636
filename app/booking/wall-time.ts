import { tzOffset } from "@date-fns/tz/tzOffset";

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const DAY = 24 * 60 * MINUTE;

/** A moment as a clock on the practice's wall shows it. `day` is "2026-12-07", `minutes` count from midnight. */
export type WallTime = { day: string; weekday: number; minutes: number };

/** What the wall clock of `zone` shows at `instant`. Never asks for the process's own zone. */
export function wallTimeOf(instant: Date, zone: string): WallTime {
  const shown = new Date(instant.getTime() + offsetAt(zone, instant) * MINUTE);
  return {
    day: shown.toISOString().slice(0, 10),
    weekday: shown.getUTCDay(),
    minutes: shown.getUTCHours() * 60 + shown.getUTCMinutes(),
  };
}

/**
 * The instant at which the wall clock of `zone` shows `minutes` after midnight on `day`. A time that is shown twice
 * (autumn) means its first pass; one that is never shown (spring) is null.
 */
export function instantOf(day: string, minutes: number, zone: string): Date | null {
  const shown = Date.parse(`${day}T00:00Z`) + minutes * MINUTE;
  const passes = offsetsAround(shown, zone)
    .map((offset) => new Date(shown - offset * MINUTE))
    .filter((instant) => instant.getTime() + offsetAt(zone, instant) * MINUTE === shown);
  return passes.sort((one, other) => one.getTime() - other.getTime())[0] ?? null;
}

/** The first instant of `day` in `zone`; where clocks go forward at midnight, the instant they do. */
export function startOfDay(day: string, zone: string): Date {
  const midnight = Date.parse(`${day}T00:00Z`);
  return instantOf(day, 0, zone) ?? new Date(midnight - offsetAt(zone, new Date(midnight - DAY)) * MINUTE);
}

/** The calendar day after `day`. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00Z`) + DAY).toISOString().slice(0, 10);
}

/** The Monday of the week in which `day` lies. */
export function mondayOf(day: string): string {
  const midnight = Date.parse(`${day}T00:00Z`);
  const daysSinceMonday = (new Date(midnight).getUTCDay() + 6) % 7;
  return new Date(midnight - daysSinceMonday * DAY).toISOString().slice(0, 10);
}

/** "2026-12-07" when that day exists in the calendar, else null. */
export function readDay(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const midnight = new Date(`${text}T00:00Z`);
  return Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== text ? null : text;
}

/** Minutes after midnight of "09:30", else null. */
export function readTime(text: string): number | null {
  const parts = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return parts ? Number(parts[1]) * 60 + Number(parts[2]) : null;
}

/** "09:30" of minutes after midnight. */
export function timeText(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** No zone changes its offset twice within two days, so the true offset is one of these. */
function offsetsAround(shown: number, zone: string): number[] {
  return [...new Set([shown - DAY, shown + DAY].map((near) => offsetAt(zone, new Date(near))))];
}

/** Clocks change on the quarter hour, everywhere: what was found once holds for all of it. */
const known = new Map<string, Map<number, number>>();
const MOST_KNOWN = 10_000;

/** The minutes by which `zone` is ahead of UTC at `instant`. */
function offsetAt(zone: string, instant: Date): number {
  const quarter = Math.floor(instant.getTime() / QUARTER);
  let ofZone = known.get(zone);
  if (!ofZone) known.set(zone, (ofZone = new Map()));
  const found = ofZone.get(quarter);
  if (found !== undefined) return found;
  if (ofZone.size >= MOST_KNOWN) ofZone.clear();
  const offset = tzOffset(zone, instant);
  ofZone.set(quarter, offset);
  return offset;
}
