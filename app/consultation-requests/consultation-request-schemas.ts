import { z } from "zod";
import { apiBookingSchema } from "../booking/booking-schemas.ts";
import {
  requiredEmail,
  optionalSingleLine,
  optionalMultiLineText,
  requiredName,
  requiredMultiLineText,
} from "../http/field-schemas.ts";

export const URGENCIES = ["routine", "urgent", "emergency"] as const;

const MAX_NAME_LENGTH = 100;
const MAX_PHONE_LENGTH = 50;
const CONSENT_REQUIRED_MESSAGE = "Please agree that we may contact you about your request.";

const blankToUndefined = (value: unknown) => (value === "" ? undefined : value);

/** Schema of the public consultation request. */
export const consultationRequestSchema = z.object({
  firstName: requiredName("The first name", MAX_NAME_LENGTH, "Enter your first name."),
  lastName: requiredName("The last name", MAX_NAME_LENGTH, "Enter your last name."),
  email: requiredEmail(),
  phone: optionalSingleLine("The phone number", MAX_PHONE_LENGTH),
  serviceNeeds: requiredMultiLineText("Your needs", undefined, "Tell us what you need help with."),
  urgency: z.preprocess(
    blankToUndefined,
    z.enum(URGENCIES, `The urgency must be one of ${URGENCIES.join(", ")}.`).default("routine"),
  ),
  message: optionalMultiLineText("The message"),
  consent: z.boolean(CONSENT_REQUIRED_MESSAGE).refine((consent) => consent, CONSENT_REQUIRED_MESSAGE),
});

const CONTACT_REQUIRED_MESSAGE = "Enter a phone number or an email address.";
const AGREEMENT_REQUIRED_MESSAGE = "Check this box once they have agreed. Without it, you may not contact them.";
const CHECKED_VALUE = "on";

/** Schema of a request that came by phone, as the consultant enters it. */
export const phoneRequestSchema = z
  .object({
    firstName: requiredName("The first name", MAX_NAME_LENGTH, "Enter the first name."),
    lastName: requiredName("The last name", MAX_NAME_LENGTH, "Enter the last name."),
    phone: optionalSingleLine("The phone number", MAX_PHONE_LENGTH),
    email: z.preprocess((value) => blankToUndefined(value) ?? undefined, requiredEmail().optional()),
    urgency: consultationRequestSchema.shape.urgency,
    serviceNeeds: requiredMultiLineText("What they need", undefined, "Write in a few words what they need."),
    consent: z.preprocess((value) => value === CHECKED_VALUE, z.literal(true, AGREEMENT_REQUIRED_MESSAGE)),
    sendsConfirmation: z.preprocess((value) => value === CHECKED_VALUE, z.boolean()),
  })
  .refine(({ phone, email }) => phone || email, { path: ["phone"], error: CONTACT_REQUIRED_MESSAGE })
  .refine(({ email, sendsConfirmation }) => email || !sendsConfirmation, {
    path: ["email"],
    error: "Enter the address that the message goes to.",
  });

/** Schema of the administrator's input for scheduling a request. */
export const schedulingSchema = apiBookingSchema.extend({
  consultationRequestId: z.number("Say which request: consultationRequestId must be its id.").meta({ type: "integer" }),
});

export type ConsultationRequestValues = z.output<typeof consultationRequestSchema>;
export type PhoneRequestValues = z.output<typeof phoneRequestSchema>;
export type SchedulingValues = z.output<typeof schedulingSchema>;
