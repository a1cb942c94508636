import { now } from "../clock.ts";
import { env } from "../env.server.ts";
import { addCalendarDays, nextDay, startOfDay, toWallTime } from "./wall-time.ts";

/** Returns today ("2026-12-07") in the practice's time zone. */
export function practiceToday(): string {
  return toWallTime(now(), env.practice.timeZone).day;
}

/** Returns the instants at which today begins and ends in the practice's time zone. */
export function practiceTodayBounds(): { from: Date; until: Date } {
  const { timeZone } = env.practice;
  const today = practiceToday();
  return { from: startOfDay(today, timeZone), until: startOfDay(nextDay(today), timeZone) };
}

const DAYS_PER_WEEK = 7;

/** Returns the day one week from today in the practice's time zone: the default due day of a follow-up. */
export function practiceDayInOneWeek(): string {
  return addCalendarDays(practiceToday(), DAYS_PER_WEEK);
}
