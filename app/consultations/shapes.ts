import { z } from "zod";
import { apiBookingShape } from "../booking/shapes.ts";
import { emailAddress, optionalLine, optionalText, requiredLine, requiredText } from "../http/fields.ts";

export const URGENCIES = ["routine", "urgent", "emergency"] as const;

const LONGEST_NAME = 100;
const LONGEST_PHONE = 50;
const CONSENT = "Please agree that we may contact you about your request.";

const emptyIsAbsent = (value: unknown) => (value === "" ? undefined : value);

/** What anyone can send to ask for a consultation. */
export const requestShape = z.object({
  firstName: requiredLine("The first name", LONGEST_NAME, "Enter your first name."),
  lastName: requiredLine("The last name", LONGEST_NAME, "Enter your last name."),
  email: emailAddress(),
  phone: optionalLine("The phone number", LONGEST_PHONE),
  serviceNeeds: requiredText("Your needs", undefined, "Tell us what you need help with."),
  urgency: z.preprocess(
    emptyIsAbsent,
    z.enum(URGENCIES, `The urgency must be one of ${URGENCIES.join(", ")}.`).default("routine"),
  ),
  message: optionalText("The message"),
  consent: z.boolean(CONSENT).refine((consent) => consent, CONSENT),
});

/** What the administrator sends to make an appointment of a request. */
export const schedulingShape = apiBookingShape.extend({
  consultationRequestId: z.number("Say which request: consultationRequestId must be its id."),
});

export type RequestFields = z.output<typeof requestShape>;
export type SchedulingFields = z.output<typeof schedulingShape>;
