import { now } from "../clock.ts";
import { env } from "../env.server.ts";
import { daysAfter, nextDay, startOfDay, toWallTime } from "./wall-time.ts";

/** Today ("2026-12-07") in the practice's zone. */
export function practiceToday(): string {
  return toWallTime(now(), env.practice.timeZone).day;
}

/** The instants at which today begins, and ends, in the practice's zone. */
export function practiceTodayLimits(): { from: Date; until: Date } {
  const { timeZone } = env.practice;
  const today = practiceToday();
  return { from: startOfDay(today, timeZone), until: startOfDay(nextDay(today), timeZone) };
}

const DAYS_PER_WEEK = 7;

/** The practice's day one week from today: by then a follow-up is done, unless another day is chosen. */
export function inOneWeek(): string {
  return daysAfter(practiceToday(), DAYS_PER_WEEK);
}
