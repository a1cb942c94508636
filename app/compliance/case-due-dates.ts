import { nextDay, weekdayOf } from "../booking/wall-time.ts";
import { DAY_MS } from "../time-units.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";
import type { CaseKind } from "./case-kinds.ts";

const PRIVACY_DEADLINE_DAYS = 30;
const ACCESSIBILITY_BUSINESS_DAYS = 2;
const INCIDENT_DEADLINE_DAYS = 60;
const SUNDAY = 0;
const SATURDAY = 6;

/**
 * Returns the last day ("2026-12-07") on which a case received on `receivedDay`, or an incident discovered on it, is
 * answered in time. Business days are Monday to Friday. Holidays count as business days, so that the answer is never
 * late.
 */
export function calculateDueDay(kind: CaseKind, receivedDay: string): string {
  if (kind !== "accessibility")
    return addCalendarDays(receivedDay, kind === "privacy" ? PRIVACY_DEADLINE_DAYS : INCIDENT_DEADLINE_DAYS);
  let day = receivedDay;
  for (let left = ACCESSIBILITY_BUSINESS_DAYS; left > 0;) {
    day = nextDay(day);
    const weekday = weekdayOf(day);
    if (weekday !== SUNDAY && weekday !== SATURDAY) left -= 1;
  }
  return day;
}

/** Returns the days from `today` until `dueDay`; negative when `dueDay` has passed. */
export function daysUntilDue(dueDay: string, today: string): number {
  return Math.round((Date.parse(dueDay) - Date.parse(today)) / DAY_MS);
}

/** Returns the remaining time in words. */
export function formatTimeLeft(days: number): string {
  if (days === 0) return "due today";
  return days < 0 ? `${formatCountWithNoun(-days, "day")} late` : `${formatCountWithNoun(days, "day")} left`;
}

function addCalendarDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

const DUE_SOON_DAYS = 3;

/** Returns the color of the remaining time: red when the case is late or due soon. */
export function dueDateColor(days: number): "red" | "yellow" {
  return days <= DUE_SOON_DAYS ? "red" : "yellow";
}
