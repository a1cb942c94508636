import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { hasSubmittedIntakeForm } from "../../intake/intake-forms.server.ts";
import { ADD_ONS } from "../../practice/site-content.ts";
import { checkAvailability } from "../availability/availability.server.ts";
import { parseDraftSlot } from "../booking-form.server.ts";
import { presetDescription } from "../visit-kind.ts";
import { type BookingDraft, findBookingDraft } from "../booking-draft.server.ts";
import { loadDayPicker } from "../availability/day-picker-data.server.ts";
import { describeUnavailableSlot } from "../availability/unavailable-slot.server.ts";
import { findNearestTimes } from "../availability/nearest-times.server.ts";
import { loadChosenSlotStatus } from "../holds/chosen-slot-status.server.ts";
import {
  ADD_ON_CATEGORY,
  BOOKABLE_SERVICES,
  defaultServiceMinutes,
  isAddOn,
  isAddOnCategoryTitle,
} from "../prices/service-catalog.ts";
import { findRecentBooking } from "./recent-booking.server.ts";
import { APPOINTMENT_TYPES, type AppointmentType, DEFAULT_VISIT_MINUTES, isValidDuration } from "../booking-rules.ts";
import { MAX_TITLE_LENGTH } from "../booking-schemas.ts";

/**
 * Loads the data of the schedule dialog: the draft, the preset of `?service=`, and the next days with free times from
 * `?from=` on, with the times of `?date=`, otherwise of the first day. Days and times are wall time in the practice's
 * time zone.
 */
export async function loadBookingDialogData(person: Person, query: URLSearchParams) {
  // Ignores the draft's `service`: the question of which add-on is meant depends only on the link that opened the
  // dialog.
  const found = await findBookingDraft(person);
  const { service: _, ...draft } = found ?? {};
  const preset = parseServicePreset(query, draft);
  const values: BookingDraft = { type: "consultation", isLiveVideoCall: "on", ...draft, ...preset };
  values.duration ??= String(values.title ? defaultServiceMinutes(values.title) : DEFAULT_VISIT_MINUTES);
  const search = {
    duration: parseDurationOrDefault(query.get("duration") ?? values.duration),
    type: parseAppointmentTypeOrDefault(query.get("type") ?? values.type),
    userId: person.id,
  };
  const freeDays = await loadDayPicker(buildDayPickerQuery(query, values), search, { showsFullDays: true });
  // Uses the length that the dialog shows, which a link to another service may have changed.
  const shownDraft = { ...draft, duration: values.duration, type: values.type };
  const slot = parseDraftSlot(shownDraft);
  const reason = slot && (await checkAvailability(slot, person.id)).reason;
  const nearestTimes = slot && reason ? await findNearestTimes(slot.start, { ...slot, userId: person.id }) : [];
  return {
    values: { ...values, date: freeDays.chosen?.day ?? "" },
    freeDays,
    nearestTimes,
    /** Description of the draft's time if it can't be booked and there are other times nearby. */
    unavailableTime: nearestTimes.length > 0 && slot && reason ? describeUnavailableSlot(slot, reason) : null,
    /** Whether the draft's time is held; null if it can't be booked, which `unavailableTime` describes. */
    hold: slot && !reason ? await loadChosenSlotStatus(person, shownDraft) : null,
    services: BOOKABLE_SERVICES.map((service, index) => ({
      ...service,
      isAddOn: isAddOn(service.title),
      isFirstChoice: index === 0,
    })),
    addOns: isAddOnCategoryTitle(values.service ?? "") ? ADD_ONS.map(({ title }) => title) : null,
    hasIntake: await hasSubmittedIntakeForm(person),
    /** Not shown with a draft, because that is another booking. */
    recentBooking: found ? null : await findRecentBooking(person),
    asOf: now().toISOString(),
    acceptsCards: env.payments !== "off",
  };
}

export type BookingDialogData = Awaited<ReturnType<typeof loadBookingDialogData>>;

/** Returns the days to show: those requested in the address, otherwise those of the draft. */
function buildDayPickerQuery(query: URLSearchParams, { date, appointmentDate }: BookingDraft): URLSearchParams {
  const from = query.get("from");
  if (from) return new URLSearchParams({ from, date: query.get("date") ?? "" });
  return new URLSearchParams({ date: query.get("date") ?? (appointmentDate?.slice(0, 10) || date || "") });
}

/** Sanitizes `?service=`, which is untrusted: reduces it to one line and to the maximum length of a title. */
function parseServicePreset(query: URLSearchParams, draft: BookingDraft): BookingDraft {
  const text = (query.get("service") ?? "")
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const service = [...text].slice(0, MAX_TITLE_LENGTH).join("");
  if (!service) return {};
  if (!isAddOnCategoryTitle(service))
    return {
      service: "",
      title: service,
      description: presetDescription(service),
      duration: String(defaultServiceMinutes(service)),
    };
  const title = draft.title && isAddOn(draft.title) ? draft.title : "";
  return {
    service: ADD_ON_CATEGORY,
    title,
    description: presetDescription(ADD_ON_CATEGORY),
    duration: String(defaultServiceMinutes(title)),
  };
}

function parseDurationOrDefault(text: string): number {
  const minutes = Number(text);
  return isValidDuration(minutes) ? minutes : DEFAULT_VISIT_MINUTES;
}

function parseAppointmentTypeOrDefault(text: string | undefined): AppointmentType {
  return APPOINTMENT_TYPES.find((type) => type === text) ?? "consultation";
}
