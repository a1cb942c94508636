import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { env } from "../env.server.ts";
import { hasIntakeForm } from "../intake/intake.server.ts";
import { ADD_ONS } from "../practice/facts.ts";
import { formatTime, formatLongDate, formatLongDateTime, zoneAbbreviation } from "../ui/dates.ts";
import { freeTimes, nextFreeDay } from "./availability.server.ts";
import { type BookingDraft, findDraft } from "./draft.server.ts";
import { ADD_ON_SERVICES, isAddOnServices, OFFERS, presetMinutes } from "./prices.ts";
import { type AppointmentType, DEFAULT_MINUTES, isDuration, TYPES, YEARS_AHEAD } from "./rules.ts";
import { LONGEST_TITLE } from "./shapes.ts";
import { instantOf, readDay, timeText, wallTimeOf } from "./wall-time.ts";

/**
 * What the schedule dialog shows: what was typed before, what `?service=` presets, and the free times of the chosen
 * day (`?date=`), or of the first day that has some. Days and times are wall time of the practice.
 */
export async function scheduleData(person: Person, query: URLSearchParams) {
  const { timeZone } = env.practice;
  const kept = (await findDraft(person)) ?? {};
  const values: BookingDraft = {
    type: "consultation",
    duration: String(DEFAULT_MINUTES),
    ...kept,
    ...presetsOf(query),
  };
  const duration = durationOf(query.get("duration") ?? values.duration);
  const type = typeOf(query.get("type") ?? values.type);
  const sought = { duration, type, userId: person.id };
  const today = wallTimeOf(now(), timeZone).day;
  const chosen = readDay(query.get("date") ?? values.date ?? "");
  const day = chosen ?? (await nextFreeDay(today, sought)) ?? today;
  return {
    values: { ...values, date: day },
    offer: await offerOf(day, sought),
    services: OFFERS,
    addOns: isAddOnServices(values.service ?? "") ? ADD_ONS.map(({ title }) => title) : null,
    hasIntake: await hasIntakeForm(person),
    paysOnline: env.payments !== "off",
    firstDay: today,
    lastDay: `${Number(today.slice(0, 4)) + YEARS_AHEAD}${today.slice(4)}`,
    zone: zoneAbbreviation(now(), timeZone),
  };
}

export type ScheduleData = Awaited<ReturnType<typeof scheduleData>>;

async function offerOf(day: string, sought: Parameters<typeof freeTimes>[1]) {
  const { timeZone } = env.practice;
  const times = await freeTimes(day, sought);
  const noon = instantOf(day, 12 * 60, timeZone) ?? now();
  const next = times.length > 0 ? null : await nextFreeDay(day, sought);
  return {
    day,
    dayName: formatLongDate(noon, timeZone),
    next: next && { day: next, dayName: formatLongDate(instantOf(next, 12 * 60, timeZone) ?? now(), timeZone) },
    times: times.map((start) => {
      const wall = wallTimeOf(start, timeZone);
      return {
        value: start.toISOString(),
        label: formatTime(start, timeZone),
        name: formatLongDateTime(start, timeZone),
        wall: `${wall.day}T${timeText(wall.minutes)}`,
      };
    }),
  };
}

/** `?service=` is anyone's text: one line of it, cut to what a title can hold. */
function presetsOf(query: URLSearchParams): BookingDraft {
  const line = (query.get("service") ?? "")
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const service = [...line].slice(0, LONGEST_TITLE).join("");
  if (!service) return {};
  const isShelf = isAddOnServices(service);
  return {
    service: isShelf ? ADD_ON_SERVICES : "",
    title: isShelf ? "" : service,
    description: `Request for ${isShelf ? ADD_ON_SERVICES : service} service`,
    duration: String(presetMinutes(service)),
  };
}

function durationOf(text: string | undefined): number {
  const minutes = Number(text);
  return isDuration(minutes) ? minutes : DEFAULT_MINUTES;
}

function typeOf(text: string | undefined): AppointmentType {
  return TYPES.find((type) => type === text) ?? "consultation";
}
