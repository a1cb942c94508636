import { formatLongDateTime, formatShortDate, formatTime } from "../../ui/format-date-time.ts";

/** A start in the visitor's time zone, in a short form for small spaces and in a long form. */
export type LocalTime = { short: string; long: string };

/**
 * Converts the start `text`, an instant or wall time of `zone` ("2026-12-07T10:00"), to the local time of `localZone`.
 * Returns null when both zones show the same time, and for any other text.
 */
export function toVisitorLocalTime(text: string, zone: string, localZone: string): LocalTime | null {
  const instant = text.endsWith("Z") ? new Date(text) : fromWallTime(text, zone);
  if (Number.isNaN(instant.getTime())) return null;
  const day = formatShortDate(instant, localZone);
  const time = formatTime(instant, localZone);
  const isSameDay = day === formatShortDate(instant, zone);
  if (isSameDay && time === formatTime(instant, zone)) return null;
  return { short: isSameDay ? time : `${day.slice(0, 3)} ${time}`, long: formatLongDateTime(instant, localZone) };
}

/** Converts wall time to an instant, for display only. The server decides what a wall time means. */
function fromWallTime(text: string, zone: string): Date {
  const wallTimeMs = Date.parse(`${text}Z`);
  if (Number.isNaN(wallTimeMs)) return new Date(Number.NaN);
  const offset = (instant: number) => toWallTimeAsUtcMs(instant, zone) - instant;
  return new Date(wallTimeMs - offset(wallTimeMs - offset(wallTimeMs)));
}

/** Returns the local time of `zone` to the minute, as milliseconds as if it were UTC. */
function toWallTimeAsUtcMs(instant: number, zone: string): number {
  // The Swedish locale formats dates as ISO 8601 does.
  const text = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" }).format(
    instant,
  );
  return Date.parse(`${text.replace(" ", "T")}Z`);
}
