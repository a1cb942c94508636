/** Minutes after midnight in the practice's zone. */
type Hours = { opens: number; closes: number; byAppointment?: true };

/** A week of office hours, Sunday first as in Date; null where the practice is closed. */
export type Week = readonly (Hours | null)[];

const HOUR = 60;

/** On Tuesday and Thursday the specification names no end; 9pm is ours (decisions §5.5). */
const EVENING: Hours = { opens: 18.5 * HOUR, closes: 21 * HOUR, byAppointment: true };

export const OFFICE_HOURS: Week = [
  { opens: 9 * HOUR, closes: 19 * HOUR },
  { opens: 9 * HOUR, closes: 19 * HOUR },
  EVENING,
  { opens: 9 * HOUR, closes: 13.5 * HOUR },
  EVENING,
  { opens: 15 * HOUR, closes: 19 * HOUR },
  { opens: 9 * HOUR, closes: 19 * HOUR },
];

export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** The week as the public page shows it: "Sun", "9am-7pm". */
export function officeHoursLines(week: Week = OFFICE_HOURS): { day: string; hours: string }[] {
  return week.map((hours, weekday) => ({
    day: dayName(weekday).slice(0, 3),
    hours: hours ? publicHours(hours) : "closed",
  }));
}

/** One day's hours inside a sentence: "On Tuesdays the office is open 6:30pm-9pm." */
export function officeHoursSentence(weekday: number, week: Week = OFFICE_HOURS): string {
  const hours = week[weekday];
  if (!hours) return `The office is closed on ${dayName(weekday)}s.`;
  return `On ${dayName(weekday)}s the office is open ${hoursText(hours)}.`;
}

/** "9am-1:30pm" */
export function hoursText({ opens, closes }: { opens: number; closes: number }): string {
  return `${clockTime(opens)}-${clockTime(closes)}`;
}

function publicHours(hours: Hours): string {
  return hours.byAppointment ? `after ${clockTime(hours.opens)} by appointment` : hoursText(hours);
}

function clockTime(minutes: number): string {
  const hour = Math.floor(minutes / HOUR);
  const rest = minutes % HOUR;
  return `${hour % 12 || 12}${rest ? `:${String(rest).padStart(2, "0")}` : ""}${hour < 12 ? "am" : "pm"}`;
}

function dayName(weekday: number): string {
  return WEEKDAYS[weekday] ?? "";
}
