import { addMinutes } from "date-fns/addMinutes";
import { addYears } from "date-fns/addYears";
import { formatHours, OFFICE_HOURS, officeHoursSentence, type Week } from "../practice/office-hours.ts";
import { formatLongDate } from "../ui/dates.ts";
import { wallTimeOf } from "./wall-time.ts";

export const MIN_MINUTES = 15;
export const MAX_MINUTES = 240;
export const DEFAULT_MINUTES = 60;
export const YEARS_AHEAD = 2;

export const TYPES = ["consultation", "follow-up", "emergency"] as const;
export type AppointmentType = (typeof TYPES)[number];

export const TYPE_LABELS: Record<AppointmentType, string> = {
  consultation: "Initial Consultation",
  "follow-up": "follow-up",
  emergency: "Emergency Session",
};

export const IN_THE_PAST = "Cannot book appointments in the past";
export const TOO_FAR_AHEAD = `Appointments can be booked at most ${YEARS_AHEAD} years ahead. Please choose an earlier day.`;
export const TAKEN = "This time slot is already taken. Please choose another time.";
export const NOT_ON_THE_CLOCK =
  "Clocks go forward that night, so this time does not exist. Please choose a time an hour later.";
export const DURATION_RANGE = `The duration must be a whole number of minutes from ${MIN_MINUTES} to ${MAX_MINUTES}.`;

const MINUTE = 60_000;

export type Wish = { start: Date; duration: number; type: AppointmentType };

/** One day's own hours, in minutes after midnight; null where the practice is closed all that day. */
export type DayHours = { opens: number; closes: number } | null;

/** Where and when a wish is judged; `day` where its day has hours of its own. */
export type Terms = { zone: string; now: Date; week?: Week; day?: DayHours };

export function endOf(wish: { start: Date; duration: number }): Date {
  return addMinutes(wish.start, wish.duration);
}

export function isDuration(value: number): boolean {
  return Number.isInteger(value) && value >= MIN_MINUTES && value <= MAX_MINUTES;
}

export function isWholeMinute(instant: Date): boolean {
  return instant.getTime() % MINUTE === 0;
}

/**
 * Why the wished time can't be booked by anyone, as a sentence; null when only others could be in its way (decisions
 * §5.5). Emergencies may lie outside the hours, not on a day on which the consultant is away.
 */
export function whyNot(wish: Wish, terms: Terms): string | null {
  const isFree = wish.type === "emergency" && terms.day !== null;
  return whyNever(wish, terms) ?? (isFree ? null : whyClosed(wish, terms));
}

/** The part that holds for the consultant too: she may work outside her hours, not in the past. */
export function whyNever(
  { start, duration }: { start: Date; duration: number },
  { now }: Pick<Terms, "now">,
): string | null {
  if (!isDuration(duration)) return DURATION_RANGE;
  if (start <= now) return IN_THE_PAST;
  return start > addYears(now, YEARS_AHEAD) ? TOO_FAR_AHEAD : null;
}

/** An appointment must begin and end within the hours of its own day. */
export function whyClosed(
  wish: { start: Date; duration: number },
  { zone, week = OFFICE_HOURS, day }: Omit<Terms, "now">,
): string | null {
  const from = wallTimeOf(wish.start, zone);
  const to = wallTimeOf(endOf(wish), zone);
  const date = formatLongDate(wish.start, zone);
  if (day === null) return `The office is closed on ${date}. Please choose another day.`;
  const hours = day ?? week[from.weekday];
  const sentence = day ? `On ${date} the office is open ${formatHours(day)}.` : officeHoursSentence(from.weekday, week);
  if (!hours) return `${sentence} Please choose another day.`;
  const fits = from.day === to.day && from.minutes >= hours.opens && to.minutes <= hours.closes;
  return fits ? null : `That is outside office hours. ${sentence}`;
}
