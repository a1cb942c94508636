import { now } from "../clock.ts";
import { IN_THE_PAST, isWholeMinute, NOT_ON_THE_CLOCK } from "./rules.ts";
import { instantOf, readDay, readTime } from "./wall-time.ts";

/** Reads a start as someone wrote it: the instant, or the sentence that says what is wrong with it. */
export type ReadStart = (text: string) => Date | string;

const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;
const WALL = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::00(?:\.0+)?)?$/;

const NO_INSTANT = "The date and time must be ISO 8601 with a zone, such as 2026-12-07T15:00:00Z.";
const NO_WALL_TIME = "Enter a day and a time that exist, such as December 7, 2026, 10:00 AM.";
const NOT_A_MINUTE = "Appointments begin on a whole minute.";

/** A start as the API takes it: ISO 8601 with its offset or Z, on a whole minute. */
export const readInstant: ReadStart = (text) => {
  const [, day = "", time = ""] = INSTANT.exec(text) ?? [];
  if (!readDay(day) || readTime(time) === null) return NO_INSTANT;
  const instant = new Date(text);
  if (isWholeMinute(instant)) return instant;
  return instant <= now() ? IN_THE_PAST : NOT_A_MINUTE;
};

/** A start as the page sends it: a wall time of the practice ("2026-12-07T10:00"), or an offered instant. */
export function readPracticeTime(zone: string): ReadStart {
  return (text) => {
    if (INSTANT.test(text)) return readInstant(text);
    const [, day = "", time = ""] = WALL.exec(text) ?? [];
    return readWallTime(day, time, zone);
  };
}

export function readWallTime(day: string, time: string, zone: string): Date | string {
  const minutes = readTime(time);
  if (!readDay(day) || minutes === null) return NO_WALL_TIME;
  return instantOf(day, minutes, zone) ?? NOT_ON_THE_CLOCK;
}
