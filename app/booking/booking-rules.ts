import { addMinutes } from "date-fns/addMinutes";
import { addYears } from "date-fns/addYears";
import { lightFormat } from "date-fns/lightFormat";
import { parseISO } from "date-fns/parseISO";
import { MINUTE_MS } from "../time-units.ts";
import {
  formatOpeningHours,
  DEFAULT_OFFICE_HOURS,
  officeHoursSentence,
  type WeeklyHours,
} from "../practice/office-hours.ts";
import { formatLongDate } from "../ui/format-date-time.ts";
import { toWallTime } from "./wall-time.ts";

export const MIN_VISIT_MINUTES = 15;
export const MAX_VISIT_MINUTES = 240;
export const DEFAULT_VISIT_MINUTES = 60;
const MAX_YEARS_AHEAD = 2;
const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = 24 * MINUTES_PER_HOUR;

export const APPOINTMENT_TYPES = ["consultation", "follow-up", "emergency"] as const;
export type AppointmentType = (typeof APPOINTMENT_TYPES)[number];

export const TYPE_LABELS: Record<AppointmentType, string> = {
  consultation: "Initial Consultation",
  "follow-up": "follow-up",
  emergency: "Emergency Session",
};

export const TITLE_REQUIRED_MESSAGE = "Enter a service type.";
export const START_REQUIRED_MESSAGE = "Choose a date and time.";
export const PAYMENT_METHOD_TITLE = "Payment Method Required";
export const PAYMENT_METHOD_REQUIRED_MESSAGE = "Please select a payment method to continue";
/** Shown to a family whose visit is longer than the duration its service is sold for. */
export const LENGTH_TO_CONFIRM_NOTE = "your consultant will confirm this length";
export const IN_THE_PAST_MESSAGE = "Cannot book appointments in the past";
export const TOO_FAR_AHEAD_MESSAGE = `Visits can be booked at most ${MAX_YEARS_AHEAD} years ahead. Please choose an earlier day.`;
export const SLOT_TAKEN_MESSAGE = "This time slot is already taken. Please choose another time.";
export const AVAILABILITY_UNKNOWN_MESSAGE = "Error checking availability";
export const NONEXISTENT_TIME_MESSAGE =
  "Clocks go forward that night, so this time does not exist. Please choose a time an hour later.";
export const INVALID_DURATION_MESSAGE = `The duration must be a whole number of minutes from ${MIN_VISIT_MINUTES} to ${MAX_VISIT_MINUTES}.`;

export type SlotRequest = { start: Date; duration: number; type: AppointmentType };

/** Override of one day's office hours, in minutes after midnight; null when the office is closed. */
export type DayHours = { opens: number; closes: number } | null;

/**
 * Data that a slot is checked against. `hoursOverride` is that of its day; `noticeMinutes` is the notice required of
 * families.
 */
export type BookingRuleContext = {
  zone: string;
  now: Date;
  weeklyHours?: WeeklyHours;
  hoursOverride?: DayHours;
  noticeMinutes?: number;
};

export function endTime(slot: { start: Date; duration: number }): Date {
  return addMinutes(slot.start, slot.duration);
}

export function isValidDuration(value: unknown): value is number {
  return (
    typeof value === "number" && Number.isInteger(value) && value >= MIN_VISIT_MINUTES && value <= MAX_VISIT_MINUTES
  );
}

export function isWholeMinute(instant: Date): boolean {
  return instant.getTime() % MINUTE_MS === 0;
}

/**
 * Returns a sentence that says why nobody can book the slot, otherwise null. Does not check conflicts with other
 * appointments. Emergencies may be outside office hours and without notice, but not on a closed day. Source:
 * docs/product.md, Availability.
 */
export function slotError(slot: SlotRequest, context: BookingRuleContext): string | null {
  const isEmergency = slot.type === "emergency";
  const ignoresOfficeHours = isEmergency && context.hoursOverride !== null;
  return (
    basicSlotError(slot, context) ??
    (ignoresOfficeHours ? null : officeHoursError(slot, context)) ??
    (isEmergency ? null : minimumNoticeError(slot.start, context))
  );
}

/**
 * Returns why a slot starts too soon for the notice required of families, otherwise null. Emergencies need no notice.
 */
export function minimumNoticeError(
  start: Date,
  { now, noticeMinutes = 0 }: Pick<BookingRuleContext, "now" | "noticeMinutes">,
): string | null {
  return start < addMinutes(now, noticeMinutes)
    ? `Please book at least ${formatMinimumNotice(noticeMinutes)} ahead. If you need us sooner, call us.`
    : null;
}

/** Returns the period in words: "3 hours", "2 days", or "90 minutes" when it is not a whole number of hours. */
export function formatMinimumNotice(minutes: number): string {
  const [amount, unit] =
    minutes % MINUTES_PER_HOUR !== 0
      ? [minutes, "minute"]
      : minutes % MINUTES_PER_DAY !== 0 || minutes === MINUTES_PER_DAY
        ? [minutes / MINUTES_PER_HOUR, "hour"]
        : [minutes / MINUTES_PER_DAY, "day"];
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}

/** Returns the last calendar day on which an appointment may start, counted from `today` ("2026-12-07"). */
export function lastBookableDay(today: string): string {
  return lightFormat(addYears(parseISO(today), MAX_YEARS_AHEAD), "yyyy-MM-dd");
}

/** Checks the rules that also apply to the consultant: she may work outside office hours, but not in the past. */
export function basicSlotError(
  { start, duration }: { start: Date; duration: number },
  { now }: Pick<BookingRuleContext, "now">,
): string | null {
  if (!isValidDuration(duration)) return INVALID_DURATION_MESSAGE;
  if (start <= now) return IN_THE_PAST_MESSAGE;
  return start > addYears(now, MAX_YEARS_AHEAD) ? TOO_FAR_AHEAD_MESSAGE : null;
}

/** Checks that a slot starts and ends within one day's office hours. */
export function officeHoursError(
  slot: { start: Date; duration: number },
  { zone, weeklyHours = DEFAULT_OFFICE_HOURS, hoursOverride }: Omit<BookingRuleContext, "now">,
): string | null {
  const startsAt = toWallTime(slot.start, zone);
  const endsAt = toWallTime(endTime(slot), zone);
  const date = formatLongDate(slot.start, zone);
  if (hoursOverride === null) return `The office is closed on ${date}. Please choose another day.`;
  const hours = hoursOverride ?? weeklyHours[startsAt.weekday];
  const hoursSentence = hoursOverride
    ? `On ${date} the office is open ${formatOpeningHours(hoursOverride)}.`
    : officeHoursSentence(startsAt.weekday, weeklyHours);
  if (!hours) return `${hoursSentence} Please choose another day.`;
  const isWithinHours =
    startsAt.day === endsAt.day && startsAt.minutes >= hours.opens && endsAt.minutes <= hours.closes;
  return isWithinHours ? null : `That is outside office hours. ${hoursSentence}`;
}
