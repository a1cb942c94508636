import { z } from "zod";
import {
  optionalSingleLine,
  optionalMultiLineText,
  optionalUnnormalizedText,
  requiredSingleLine,
} from "../http/field-schemas.ts";
import { normalizeTitle } from "./prices/price-list.ts";
import { CHOOSE_ADD_ON_MESSAGE, isAddOnCategoryTitle } from "./prices/service-catalog.ts";
import {
  APPOINTMENT_TYPES,
  DEFAULT_VISIT_MINUTES,
  INVALID_DURATION_MESSAGE,
  isValidDuration,
  MAX_VISIT_MINUTES,
  MIN_VISIT_MINUTES,
  PAYMENT_METHOD_REQUIRED_MESSAGE,
  START_REQUIRED_MESSAGE,
  TITLE_REQUIRED_MESSAGE,
} from "./booking-rules.ts";
import { type StartParser, parseInstant, createPracticeTimeParser } from "./start-time.ts";
import { toWallTime } from "./wall-time.ts";

export const MAX_TITLE_LENGTH = 255;
const MAX_LINK_LENGTH = 2000;
export const MAX_PLACE_LENGTH = 200;

const SLOT_ON_OTHER_DAY_MESSAGE =
  "The day was changed after you chose a time. Show its open times and choose one of them.";
const LINK_NOT_HTTPS_MESSAGE = "The meeting link must be a full address that begins with https://";

const emptyToUndefined = (value: unknown) => (value === "" ? undefined : value);

/** Accepts any type, so that each invalid one gets its own message. */
const startValueSchema = z.unknown().meta({ type: "string", format: "date-time", description: "The start" });
const START_NOT_TEXT_MESSAGE = "The date and time must be text, such as 2026-12-07T15:00:00Z.";

export function createStartTimeSchema(parseStart: StartParser) {
  return startValueSchema.transform((value, context) => {
    const text = typeof value === "string" ? value.trim() : (value ?? "");
    const parsed =
      text === "" ? START_REQUIRED_MESSAGE : typeof text === "string" ? parseStart(text) : START_NOT_TEXT_MESSAGE;
    if (typeof parsed !== "string") return parsed;
    context.addIssue({ code: "custom", message: parsed });
    return z.NEVER;
  });
}

/** The place of a visit in person. */
export const appointmentPlaceSchema = optionalSingleLine("The place", MAX_PLACE_LENGTH);

/** Returns the schema of the booking fields that pages and the API share. Only the format of the start differs. */
function createBookingSchema(parseStart: StartParser) {
  return z.object({
    title: requiredSingleLine("The service type", MAX_TITLE_LENGTH, TITLE_REQUIRED_MESSAGE)
      .refine((title) => normalizeTitle(title) !== "", TITLE_REQUIRED_MESSAGE)
      .refine((title) => !isAddOnCategoryTitle(title), CHOOSE_ADD_ON_MESSAGE),
    description: optionalMultiLineText("The description"),
    appointmentDate: createStartTimeSchema(parseStart),
    duration: z.preprocess(
      emptyToUndefined,
      z
        .number(INVALID_DURATION_MESSAGE)
        .refine(isValidDuration, INVALID_DURATION_MESSAGE)
        .meta({ type: "integer", minimum: MIN_VISIT_MINUTES, maximum: MAX_VISIT_MINUTES, description: "Minutes" })
        .default(DEFAULT_VISIT_MINUTES),
    ),
    type: z.preprocess(
      emptyToUndefined,
      z.enum(APPOINTMENT_TYPES, `The type must be one of ${APPOINTMENT_TYPES.join(", ")}.`).default("consultation"),
    ),
    meetingLink: optionalUnnormalizedText("The meeting link", MAX_LINK_LENGTH).refine(
      (link) => !link || isSafeHttpsLink(link),
      LINK_NOT_HTTPS_MESSAGE,
    ),
    place: appointmentPlaceSchema.meta({ description: "Where to meet; only used for a visit in person" }),
    notes: optionalMultiLineText("The notes"),
    isLiveVideoCall: z.preprocess(emptyToUndefined, z.boolean("Live video call must be true or false.").default(false)),
  });
}

/** Accepts `userId` from the administrator only; it is ignored for everyone else. */
export const apiBookingSchema = createBookingSchema(parseInstant).extend({
  userId: z.unknown().optional().meta({ type: "integer", description: "The family; from the administrator alone" }),
});

/** The booking fields without start and family, for pages that have their own fields for those. */
export const bookingSchemaWithoutStart = apiBookingSchema.omit({ appointmentDate: true, userId: true });

/**
 * Returns the schema of the schedule dialog's form. A chosen slot takes precedence over a typed time. Wall times are in
 * the practice's time zone.
 */
export function createBookingFormSchema(zone: string) {
  const baseSchema = createBookingSchema(createPracticeTimeParser(zone)).extend({
    paymentMethod: z.enum(["online", "in-person"], PAYMENT_METHOD_REQUIRED_MESSAGE),
    slot: optionalMultiLineText("The open time"),
    date: optionalMultiLineText("The day"),
  });
  const schema = baseSchema.refine(
    ({ slot, date, appointmentDate }) => !slot || !date || toWallTime(appointmentDate, zone).day === date,
    {
      path: ["appointmentDate"],
      error: SLOT_ON_OTHER_DAY_MESSAGE,
    },
  );
  return z.preprocess((fields) => withResolvedAppointmentStart(fields as Record<string, unknown>), schema);
}

/** Schema of the action on the calendar link: create a new one, or end it. */
export const calendarLinkSchema = z.object({ link: z.enum(["new", "end"], "Choose what to do with the link.") });

export type BookingValues = z.output<ReturnType<typeof createBookingSchema>>;

/** Returns the fields of a form with free times; their start is the chosen slot, otherwise the typed time. */
export function withResolvedAppointmentStart(fields: Record<string, unknown>) {
  const { slot, appointmentDate } = fields;
  return { ...fields, appointmentDate: slot || appointmentDate || "" };
}

function isSafeHttpsLink(link: string): boolean {
  // Rejects a user name before the host: "https://zoom.us@evil.example" leads to evil.example.
  if (!/^https:\/\/[^\s\p{C}\p{Z}\\]+$/iu.test(link) || /^https:\/\/[^/?#]*@/i.test(link)) return false;
  const url = URL.canParse(link) ? new URL(link) : null;
  return url?.protocol === "https:" && url.username === "" && url.password === "";
}
