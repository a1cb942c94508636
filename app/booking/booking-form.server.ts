import { env } from "../env.server.ts";
import { fieldNames, readNamedFormFields } from "../http/form.server.ts";
import { type BookingDraft, convertDraftToFormData } from "./booking-draft.server.ts";
import { NEW_APPOINTMENT_PATH, WAITING_LIST_PATH } from "./appointment-paths.ts";
import {
  defaultServiceMinutes,
  isAddOnCategoryTitle,
  isCustomTitle,
  knownServiceTitle,
} from "./prices/service-catalog.ts";
import { APPOINTMENT_TYPES, DEFAULT_VISIT_MINUTES, isValidDuration, type SlotRequest } from "./booking-rules.ts";
import { createBookingFormSchema } from "./booking-schemas.ts";
import { createPracticeTimeParser } from "./start-time.ts";
import { presetDescription } from "./visit-kind.ts";
import { roundUpToWaitingListDuration } from "./waiting-list/waiting-list-visit-lengths.ts";
import { parseDay, toWallTime } from "./wall-time.ts";

/** Form fields in addition to those of the schema: presets as served, and the buttons. */
const FORM_FIELD_NAMES = [
  ...fieldNames(createBookingFormSchema(env.practice.timeZone)),
  "service",
  "ownTitle",
  "presetDuration",
  "day",
  "from",
  "wait",
  "take",
  "intent",
];

/** Reads the form fields of the schedule dialog and applies the changes that its page can't make without scripts. */
export async function readBookingFormWithPresets(request: Request): Promise<FormData> {
  const form = await readNamedFormFields(request, FORM_FIELD_NAMES);
  if (!readText(form, "title") && form.has("ownTitle")) form.set("title", readText(form, "ownTitle"));
  applyServicePresets(form);
  if (form.has("day")) setDayAndClearSlot(form, readText(form, "day"));
  return form;
}

/**
 * Returns the form with the time of the pressed button `take`. If the form has no booking fields, they are taken from
 * the draft.
 */
export function applyOfferedSlot(form: FormData, draft: BookingDraft | null): FormData {
  const filledForm = form.has("title") ? form : convertDraftToFormData(draft ?? {});
  const slot = readText(form, "take");
  const start = parseStart(slot);
  setDayAndClearSlot(filledForm, start ? toWallTime(start, env.practice.timeZone).day : "");
  filledForm.set("slot", slot);
  return filledForm;
}

/** Returns the slot that a draft requests, even if the rest is incomplete; null without a valid start and duration. */
export function parseDraftSlot({ slot, appointmentDate, duration, type }: BookingDraft): SlotRequest | null {
  const start = parseStart(slot || appointmentDate || "");
  const minutes = parseMinutes(duration);
  if (!start || minutes === null) return null;
  return { start, duration: minutes, type: APPOINTMENT_TYPES.find((each) => each === type) ?? "consultation" };
}

function parseMinutes(duration: string | undefined): number | null {
  const minutes = Number(duration || DEFAULT_VISIT_MINUTES);
  return isValidDuration(minutes) ? minutes : null;
}

function parseStart(wallTimeOrInstant: string): Date | null {
  const start = createPracticeTimeParser(env.practice.timeZone)(wallTimeOrInstant);
  return typeof start === "string" ? null : start;
}

/**
 * Returns the address for a button that only requests other days or times: the dialog again, or the waiting list for a
 * full day. Returns null for a button that submits the form.
 */
export function slotNavigationPath(form: FormData): string | null {
  if (form.has("wait")) return waitingListPath(form);
  if (!form.has("day") && !form.has("from") && form.get("intent") !== "times") return null;
  const service = readText(form, "service");
  const name = form.has("from") ? "from" : "date";
  // Other text could make the header longer than proxies and clients accept.
  const day = parseDay(readText(form, name));
  const query = new URLSearchParams({
    ...(isAddOnCategoryTitle(service) ? { service } : {}),
    ...(day ? { [name]: day } : {}),
  });
  return `${NEW_APPOINTMENT_PATH}${query.size > 0 ? `?${query}` : ""}#free-times`;
}

/**
 * Returns the waiting list's address with the form's service and length, and the day of the pressed button. If that
 * names none, with the typed day, otherwise the one whose times are shown.
 */
function waitingListPath(form: FormData): string {
  const ownDay = readText(form, "appointmentDate").slice(0, "2026-12-07".length) || readText(form, "date");
  const day = parseDay(readText(form, "wait") || ownDay);
  const service = knownServiceTitle(readText(form, "title"));
  const minutes = roundUpToWaitingListDuration(parseMinutes(readText(form, "duration")) ?? DEFAULT_VISIT_MINUTES);
  const query = new URLSearchParams({
    ...(day ? { day } : {}),
    ...(service ? { service } : {}),
    ...(minutes ? { duration: String(minutes) } : {}),
  });
  return `${WAITING_LIST_PATH}${query.size > 0 ? `?${query}` : ""}`;
}

/**
 * Updates presets that the family left unchanged to those of the chosen service. With scripts, the page has already
 * done so.
 */
function applyServicePresets(form: FormData): void {
  const title = readText(form, "title");
  const preset = form.get("presetDuration");
  if (preset !== null && preset === form.get("duration")) form.set("duration", String(defaultServiceMinutes(title)));
  const [, presetService] = /^Request for (.+) service$/.exec(readText(form, "description")) ?? [];
  const isPreset = presetService && (!isCustomTitle(presetService) || isAddOnCategoryTitle(presetService));
  if (isPreset && title) form.set("description", presetDescription(title));
}

/** Sets the day and clears the chosen time, which belonged to another day. */
function setDayAndClearSlot(form: FormData, day: string): void {
  form.set("date", day);
  form.set("slot", "");
  form.set("appointmentDate", "");
}

function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
