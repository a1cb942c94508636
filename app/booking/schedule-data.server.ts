import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { env } from "../env.server.ts";
import { hasIntakeForm } from "../intake/intake.server.ts";
import { ADD_ONS } from "../practice/facts.ts";
import { formatTime, formatLongDay, formatLongDateTime, zoneAbbreviation } from "../ui/dates.ts";
import { findFreeSlots, findNextFreeDay } from "./availability.server.ts";
import { type BookingDraft, findDraft } from "./draft.server.ts";
import { ADD_ON_CATEGORY, isAddOnCategory, BOOKABLE_SERVICES, defaultMinutes } from "./prices.ts";
import { type AppointmentType, DEFAULT_MINUTES, isValidDuration, APPOINTMENT_TYPES, lastBookableDay } from "./rules.ts";
import { MAX_TITLE_LENGTH } from "./schemas.ts";
import { parseDay, formatMinutes, toWallTime } from "./wall-time.ts";

/**
 * Loads the schedule dialog: the draft, the preset of `?service=`, and the free slots of `?date=` or else of the first
 * day that has some. Days and times are wall time in the practice's zone.
 */
export async function loadScheduleDialog(person: Person, query: URLSearchParams) {
  const { timeZone } = env.practice;
  const draft = (await findDraft(person)) ?? {};
  const values: BookingDraft = {
    type: "consultation",
    duration: String(DEFAULT_MINUTES),
    ...draft,
    ...prefillFromQuery(query),
  };
  const duration = parseDuration(query.get("duration") ?? values.duration);
  const type = parseType(query.get("type") ?? values.type);
  const search = { duration, type, userId: person.id };
  const today = toWallTime(now(), timeZone).day;
  const chosenDay = parseDay(query.get("date") ?? values.date ?? "");
  const day = chosenDay ?? (await findNextFreeDay(today, search)) ?? today;
  return {
    values: { ...values, date: day },
    daySlots: await loadDaySlots(day, search),
    services: BOOKABLE_SERVICES,
    addOns: isAddOnCategory(values.service ?? "") ? ADD_ONS.map(({ title }) => title) : null,
    hasIntake: await hasIntakeForm(person),
    acceptsCards: env.payments !== "off",
    firstDay: today,
    lastDay: lastBookableDay(today),
    zone: zoneAbbreviation(now(), timeZone),
  };
}

export type ScheduleDialogData = Awaited<ReturnType<typeof loadScheduleDialog>>;

async function loadDaySlots(day: string, search: Parameters<typeof findFreeSlots>[1]) {
  const { timeZone } = env.practice;
  const times = await findFreeSlots(day, search);
  const nextDay = times.length > 0 ? null : await findNextFreeDay(day, search);
  return {
    day,
    dayName: formatLongDay(day),
    nextDay: nextDay && {
      day: nextDay,
      dayName: formatLongDay(nextDay),
    },
    times: times.map((start) => {
      const wallTime = toWallTime(start, timeZone);
      return {
        value: start.toISOString(),
        label: formatTime(start, timeZone),
        accessibleName: formatLongDateTime(start, timeZone),
        wallTime: `${wallTime.day}T${formatMinutes(wallTime.minutes)}`,
      };
    }),
  };
}

/** `?service=` is untrusted: reduced to one line and to the length of a title. */
function prefillFromQuery(query: URLSearchParams): BookingDraft {
  const text = (query.get("service") ?? "")
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const service = [...text].slice(0, MAX_TITLE_LENGTH).join("");
  if (!service) return {};
  const isAddOn = isAddOnCategory(service);
  return {
    service: isAddOn ? ADD_ON_CATEGORY : "",
    title: isAddOn ? "" : service,
    description: `Request for ${isAddOn ? ADD_ON_CATEGORY : service} service`,
    duration: String(defaultMinutes(service)),
  };
}

function parseDuration(text: string | undefined): number {
  const minutes = Number(text);
  return isValidDuration(minutes) ? minutes : DEFAULT_MINUTES;
}

function parseType(text: string | undefined): AppointmentType {
  return APPOINTMENT_TYPES.find((type) => type === text) ?? "consultation";
}
