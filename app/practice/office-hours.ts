/** Opening hours of one day, in minutes after midnight in the practice's time zone. */
export type OpeningHours = { opens: number; closes: number; byAppointment?: true };

/** A week of office hours, Sunday first as in Date; null where the practice is closed. */
export type WeeklyHours = readonly (OpeningHours | null)[];

const MINUTES_PER_HOUR = 60;

/** The specification has no closing time for Tuesday and Thursday; 9pm was decided in docs/product.md, Availability. */
const EVENING_HOURS: OpeningHours = {
  opens: 18.5 * MINUTES_PER_HOUR,
  closes: 21 * MINUTES_PER_HOUR,
  byAppointment: true,
};

export const DEFAULT_OFFICE_HOURS: WeeklyHours = [
  { opens: 9 * MINUTES_PER_HOUR, closes: 19 * MINUTES_PER_HOUR },
  { opens: 9 * MINUTES_PER_HOUR, closes: 19 * MINUTES_PER_HOUR },
  EVENING_HOURS,
  { opens: 9 * MINUTES_PER_HOUR, closes: 13.5 * MINUTES_PER_HOUR },
  EVENING_HOURS,
  { opens: 15 * MINUTES_PER_HOUR, closes: 19 * MINUTES_PER_HOUR },
  { opens: 9 * MINUTES_PER_HOUR, closes: 19 * MINUTES_PER_HOUR },
];

export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** Returns the number of minutes per week in which the office is open. */
export function countWeeklyOfficeMinutes(week: WeeklyHours): number {
  return week.reduce((sum, day) => sum + (day ? day.closes - day.opens : 0), 0);
}

/** Returns the week as the public page shows it: "Sun", "9am-7pm". */
export function formatOfficeHoursTable(week: WeeklyHours = DEFAULT_OFFICE_HOURS): { day: string; hours: string }[] {
  return week.map((hours, weekday) => ({
    day: dayName(weekday).slice(0, 3),
    hours: hours ? formatPublicHours(hours) : "closed",
  }));
}

/** Returns one day's hours as a sentence: "On Tuesdays the office is open 6:30pm-9pm." */
export function officeHoursSentence(weekday: number, week: WeeklyHours = DEFAULT_OFFICE_HOURS): string {
  const hours = week[weekday];
  if (!hours) return `The office is closed on ${dayName(weekday)}s.`;
  return `On ${dayName(weekday)}s the office is open ${formatOpeningHours(hours)}.`;
}

/** Formats hours as "9am-1:30pm". */
export function formatOpeningHours({ opens, closes }: { opens: number; closes: number }): string {
  return `${formatClockTime(opens)}-${formatClockTime(closes)}`;
}

function formatPublicHours(hours: OpeningHours): string {
  return hours.byAppointment ? `after ${formatClockTime(hours.opens)} by appointment` : formatOpeningHours(hours);
}

/** Formats minutes after midnight as "6:30pm". */
export function formatClockTime(minutes: number): string {
  const hour = Math.floor(minutes / MINUTES_PER_HOUR);
  const minute = minutes % MINUTES_PER_HOUR;
  return `${hour % 12 || 12}${minute ? `:${String(minute).padStart(2, "0")}` : ""}${hour < 12 ? "am" : "pm"}`;
}

function dayName(weekday: number): string {
  return WEEKDAYS[weekday] ?? "";
}
