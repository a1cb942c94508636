import { now } from "../clock.ts";
import { env } from "../env.server.ts";
import { toWallTime } from "./wall-time.ts";

/** Today ("2026-12-07") in the practice's zone. */
export function practiceToday(): string {
  return toWallTime(now(), env.practice.timeZone).day;
}
