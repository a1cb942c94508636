import { z } from "zod";
import { optionalLine, optionalText, optionalVerbatim, requiredLine } from "../http/fields.ts";
import { IN_PERSON_METHODS } from "./payment-notices.ts";
import { CHOOSE_AN_ADD_ON, comparable, isAddOnServices } from "./prices.ts";
import { DEFAULT_MINUTES, DURATION_RANGE, isDuration, TYPES } from "./rules.ts";
import { type ReadStart, readInstant, readPracticeTime } from "./start-time.ts";
import { wallTimeOf } from "./wall-time.ts";

export const LONGEST_TITLE = 255;
const LONGEST_LINK = 2000;

export const CHOOSE_A_START = "Choose a date and time.";
export const CHOOSE_A_METHOD = "Please select a payment method to continue";
const ANOTHER_DAY = "The day was changed after you chose a time. Show its free times and choose one of them.";
const ENTER_A_TITLE = "Enter a service type.";
const HTTPS_ONLY = "The meeting link must be a full address that begins with https://";

const emptyIsAbsent = (value: unknown) => (value === "" ? undefined : value);

const NOT_TEXT = "The date and time must be text, such as 2026-12-07T15:00:00Z.";

function start(read: ReadStart) {
  return z.unknown().transform((value, context) => {
    const text = typeof value === "string" ? value.trim() : (value ?? "");
    const found = text === "" ? CHOOSE_A_START : typeof text === "string" ? read(text) : NOT_TEXT;
    if (typeof found !== "string") return found;
    context.addIssue({ code: "custom", message: found });
    return z.NEVER;
  });
}

/** What is booked, the same from a page and from the API but for how each writes its start. */
function bookingShape(read: ReadStart) {
  return z.object({
    title: requiredLine("The service type", LONGEST_TITLE, ENTER_A_TITLE)
      .refine((title) => comparable(title) !== "", ENTER_A_TITLE)
      .refine((title) => !isAddOnServices(title), CHOOSE_AN_ADD_ON),
    description: optionalText("The description"),
    appointmentDate: start(read),
    duration: z.preprocess(
      emptyIsAbsent,
      z.number(DURATION_RANGE).refine(isDuration, DURATION_RANGE).default(DEFAULT_MINUTES),
    ),
    type: z.preprocess(
      emptyIsAbsent,
      z.enum(TYPES, `The type must be one of ${TYPES.join(", ")}.`).default("consultation"),
    ),
    meetingLink: optionalVerbatim("The meeting link", LONGEST_LINK).refine(
      (link) => !link || isHttps(link),
      HTTPS_ONLY,
    ),
    notes: optionalText("The notes"),
    isLiveVideoCall: z.preprocess(emptyIsAbsent, z.boolean("Live video call must be true or false.").default(false)),
  });
}

/** `userId` is the administrator's to set; from anyone else it is ignored, whatever it is. */
export const apiBookingShape = bookingShape(readInstant).extend({ userId: z.unknown().optional() });

/** The same but for when and for whom, where a page asks for those in its own way. */
export const bookingDetailsShape = apiBookingShape.omit({ appointmentDate: true, userId: true });

const LONGEST_KEY = 255;
const LONGEST_TOKEN = 1000;

/** What the paying caller sends; `appointmentData` is judged by `apiBookingShape`, so that its mistakes stand under their own names. */
export const cardOrderShape = z.object({
  sourceId: requiredLine("The card token (sourceId)", LONGEST_TOKEN),
  amount: z.number("The amount must be a number of US dollars."),
  appointmentData: z.record(z.string(), z.unknown(), "The appointment (appointmentData) must be an object."),
  idempotencyKey: optionalLine("The idempotency key", LONGEST_KEY),
});

const LONGEST_REASON = 500;

/** What the administrator says of money that she took or gives back by hand. */
export const takenShape = z.object({
  method: z.enum(IN_PERSON_METHODS, "Choose how it was paid."),
  note: optionalLine("The note", LONGEST_REASON),
});
export const refundShape = z.object({
  paymentId: z.coerce.number("Choose a payment.").int().positive("Choose a payment."),
  amount: requiredLine("The amount", LONGEST_KEY, "Enter an amount in dollars, such as 37.50."),
  reason: requiredLine("The reason", LONGEST_REASON, "Say why, for your own records."),
  key: z.uuid("Please load this page again."),
});

/** The schedule dialog: a chosen free time counts before a typed one; wall times are the practice's. */
export function bookingFormShape(zone: string) {
  const shape = bookingShape(readPracticeTime(zone)).extend({
    paymentMethod: z.enum(["online", "in-person"], CHOOSE_A_METHOD),
    slot: optionalText("The free time"),
    date: optionalText("The day"),
  });
  const onItsDay = shape.refine(
    ({ slot, date, appointmentDate }) => !slot || !date || wallTimeOf(appointmentDate, zone).day === date,
    {
      path: ["appointmentDate"],
      error: ANOTHER_DAY,
    },
  );
  return z.preprocess((fields) => withStart(fields as Record<string, unknown>), onItsDay);
}

export type BookingFields = z.output<ReturnType<typeof bookingShape>>;

function withStart(fields: Record<string, unknown>) {
  const { slot, appointmentDate } = fields;
  return { ...fields, appointmentDate: slot || appointmentDate || "" };
}

function isHttps(link: string): boolean {
  // No user name before the host: "https://zoom.us@evil.example" leads to evil.example.
  if (!/^https:\/\/[^\s\p{C}\p{Z}\\]+$/iu.test(link) || /^https:\/\/[^/?#]*@/i.test(link)) return false;
  const url = URL.canParse(link) ? new URL(link) : null;
  return url?.protocol === "https:" && url.username === "" && url.password === "";
}
