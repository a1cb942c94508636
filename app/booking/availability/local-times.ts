import { formatLongDateTime, formatShortDate, formatTime } from "../../ui/dates.ts";

/** A start in the visitor's zone: where there is little room, and in full. */
export type LocalTime = { short: string; long: string };

/**
 * The start `text`, an instant or wall time of `zone` ("2026-12-07T10:00"), as the clocks of `localZone` show it; null
 * where both show the same, and for any other text.
 */
export function localTime(text: string, zone: string, localZone: string): LocalTime | null {
  const instant = text.endsWith("Z") ? new Date(text) : fromWallTime(text, zone);
  if (Number.isNaN(instant.getTime())) return null;
  const day = formatShortDate(instant, localZone);
  const time = formatTime(instant, localZone);
  const isSameDay = day === formatShortDate(instant, zone);
  if (isSameDay && time === formatTime(instant, zone)) return null;
  return { short: isSameDay ? time : `${day.slice(0, 3)} ${time}`, long: formatLongDateTime(instant, localZone) };
}

/** For display alone: the server decides what a wall time means. */
function fromWallTime(text: string, zone: string): Date {
  const shown = Date.parse(`${text}Z`);
  if (Number.isNaN(shown)) return new Date(Number.NaN);
  const offset = (instant: number) => clockReading(instant, zone) - instant;
  return new Date(shown - offset(shown - offset(shown)));
}

/** What the clocks of `zone` show, to the minute, as milliseconds of UTC. */
function clockReading(instant: number, zone: string): number {
  // Swedes write dates as ISO 8601 does.
  const text = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" }).format(
    instant,
  );
  return Date.parse(`${text.replace(" ", "T")}Z`);
}
