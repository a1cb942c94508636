import { z } from "zod";
import { formatMinimumNotice } from "../../booking/booking-rules.ts";
import { parseTime } from "../../booking/wall-time.ts";
import { optionalMultiLineText } from "../../http/field-schemas.ts";
import { type OpeningHours, type WeeklyHours, WEEKDAYS } from "../../practice/office-hours.ts";

const PAUSE_MINUTES_CHOICES = [0, 5, 10, 15, 20, 30, 45, 60, 90, 120];
const NOTICE_MINUTES_CHOICES = [0, 1, 2, 4, 12, 24, 48, 72, 168, 336].map((hours) => hours * 60);

export const PAUSE_BETWEEN_VISITS_OPTIONS = PAUSE_MINUTES_CHOICES.map((minutes) => ({
  value: String(minutes),
  label: minutes === 0 ? "No pause" : `${minutes} minutes`,
}));
export const MINIMUM_NOTICE_OPTIONS = NOTICE_MINUTES_CHOICES.map((minutes) => ({
  value: String(minutes),
  label: minutes === 0 ? "No notice" : formatMinimumNotice(minutes),
}));

type WeekdayPart = "closed" | "opens" | "closes" | "byAppointment";

/** Returns the name of a weekday's field: "mondayOpens". Weekdays count from Sunday (0). */
export function weekdayFieldName(weekday: number, part: WeekdayPart): string {
  return `${(WEEKDAYS[weekday] ?? "").toLowerCase()}${part[0]?.toUpperCase()}${part.slice(1)}`;
}

const weekdayFieldSchemas = Object.fromEntries(
  WEEKDAYS.flatMap((name, weekday) => [
    [weekdayFieldName(weekday, "closed"), optionalMultiLineText(`${name}’s checkbox`)],
    [weekdayFieldName(weekday, "opens"), optionalMultiLineText(`${name}’s opening time`)],
    [weekdayFieldName(weekday, "closes"), optionalMultiLineText(`${name}’s closing time`)],
    [weekdayFieldName(weekday, "byAppointment"), optionalMultiLineText(`${name}’s checkbox`)],
  ]),
);

const minutesSchema = (choices: readonly number[], message: string) =>
  z.enum(choices.map(String), message).transform((value) => Number(value));

/** A weekday is closed if its box is checked, regardless of its times. Times are local to the practice. */
export const weeklyHoursSchema = z
  .object({
    ...weekdayFieldSchemas,
    pauseMinutes: minutesSchema(PAUSE_MINUTES_CHOICES, "Choose a pause from the list."),
    noticeMinutes: minutesSchema(NOTICE_MINUTES_CHOICES, "Choose a notice from the list."),
  })
  .transform(({ pauseMinutes, noticeMinutes, ...days }, context) => {
    const week: WeeklyHours = WEEKDAYS.map((name, weekday) => {
      const hours = dayHours(days, weekday);
      if (hours !== "invalid") return hours;
      const message = `${name}: enter when you open and, after that, when you close, or choose “Closed”.`;
      context.addIssue({ code: "custom", path: [weekdayFieldName(weekday, "opens")], message });
      return null;
    });
    return { week, pauseMinutes, noticeMinutes };
  });

function dayHours(days: Record<string, string | undefined>, weekday: number): OpeningHours | null | "invalid" {
  if (days[weekdayFieldName(weekday, "closed")] !== undefined) return null;
  const [opens, closes] = [
    parseTime(days[weekdayFieldName(weekday, "opens")] ?? ""),
    parseTime(days[weekdayFieldName(weekday, "closes")] ?? ""),
  ];
  if (opens === null || closes === null || opens >= closes) return "invalid";
  const byAppointment = days[weekdayFieldName(weekday, "byAppointment")] !== undefined;
  return byAppointment ? { opens, closes, byAppointment } : { opens, closes };
}
