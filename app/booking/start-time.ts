import { now } from "../clock.ts";
import { IN_THE_PAST_MESSAGE, isWholeMinute, NONEXISTENT_TIME_MESSAGE } from "./booking-rules.ts";
import { formatTimeOfDay, parseDay, parseTime, wallTimeToInstant, toWallTime } from "./wall-time.ts";

/** Parses a start. Returns the instant, or an error message. */
export type StartParser = (text: string) => Date | string;

const INSTANT_PATTERN = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;
const WALL_TIME_PATTERN = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::00(?:\.0+)?)?$/;

const INVALID_INSTANT_MESSAGE = "The date and time must be ISO 8601 with a zone, such as 2026-12-07T15:00:00Z.";
const INVALID_WALL_TIME_MESSAGE = "Enter a day and a time that exist, such as December 7, 2026, 10:00 AM.";
const NOT_WHOLE_MINUTE_MESSAGE = "Visits begin on a whole minute.";

/** Parses the API's format: ISO 8601 with an offset or Z, on a whole minute. */
export const parseInstant: StartParser = (text) => {
  const [, day = "", time = ""] = INSTANT_PATTERN.exec(text) ?? [];
  if (!parseDay(day) || parseTime(time) === null) return INVALID_INSTANT_MESSAGE;
  const instant = new Date(text);
  if (isWholeMinute(instant)) return instant;
  return instant <= now() ? IN_THE_PAST_MESSAGE : NOT_WHOLE_MINUTE_MESSAGE;
};

/**
 * Returns a parser of the page's format: wall time in the practice's time zone ("2026-12-07T10:00"), or an offered
 * instant.
 */
export function createPracticeTimeParser(zone: string): StartParser {
  return (text) => {
    if (INSTANT_PATTERN.test(text)) return parseInstant(text);
    const [, day = "", time = ""] = WALL_TIME_PATTERN.exec(text) ?? [];
    return parseWallTimeToInstant(day, time, zone);
  };
}

export function parseWallTimeToInstant(day: string, time: string, zone: string): Date | string {
  const minutes = parseTime(time);
  if (!parseDay(day) || minutes === null) return INVALID_WALL_TIME_MESSAGE;
  return wallTimeToInstant(day, minutes, zone) ?? NONEXISTENT_TIME_MESSAGE;
}

/** Returns the values of a form's fields for a start (an instant): "2026-12-07" and "10:00" as wall time in `zone`. */
export function toDateTimeFields(start: Date, zone: string): { date: string; time: string } {
  const { day, minutes } = toWallTime(start, zone);
  return { date: day, time: formatTimeOfDay(minutes) };
}
