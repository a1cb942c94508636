import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { MINUTE_MS } from "../../time-units.ts";
import { formatDate, formatTimeWithZone } from "../../ui/format-date-time.ts";
import { findNextDaysWithFreeStarts } from "./availability.server.ts";
import { practiceToday } from "../practice-today.server.ts";

let cachedResult: { at: number; minutes: number; text: string | null } | null = null;

/**
 * Returns the next free start of a visit of `minutes` minutes as the public page shows it ("Tue, Nov 24, 2026 at 6:30
 * PM ET"); null when there is none in the coming weeks. Cached for one minute, so that not every visitor causes a
 * query.
 */
export async function findNextFreeTimeText(minutes: number): Promise<string | null> {
  const at = now().getTime();
  if (cachedResult?.minutes === minutes && Math.abs(at - cachedResult.at) < MINUTE_MS) return cachedResult.text;
  const { timeZone } = env.practice;
  const [day] = await findNextDaysWithFreeStarts(practiceToday(), 1, { duration: minutes, type: "consultation" });
  const start = day?.starts[0];
  const text = start ? `${formatDate(start, timeZone)} at ${formatTimeWithZone(start, timeZone)}` : null;
  cachedResult = { at, minutes, text };
  return text;
}
