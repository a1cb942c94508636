import { z } from "zod";
import { apiBookingSchema } from "../booking/booking-schemas.ts";
import { optionalSingleLine, requiredId, requiredSingleLine } from "../http/field-schemas.ts";
import { IN_PERSON_METHODS } from "./payment-methods.ts";

const MAX_KEY_LENGTH = 255;
const MAX_TOKEN_LENGTH = 1000;

const idempotencyKeySchema = optionalSingleLine("The idempotency key", MAX_KEY_LENGTH);

/** The fields that the card payment page submits. `cents` is the price that the page showed. */
export const cardFormSchema = z.object({
  sourceId: optionalSingleLine("The card token", MAX_TOKEN_LENGTH),
  key: idempotencyKeySchema,
  cents: z
    .string()
    .regex(/^\d{1,9}$/, "The price must be a number of cents.")
    .optional(),
});

export const appointmentDataSchema = apiBookingSchema.omit({ userId: true });

/**
 * The body of a card payment. `appointmentDataSchema` validates `appointmentData` separately, so that its errors
 * contain the names of its own fields.
 */
export const cardPaymentSchema = z.object({
  sourceId: requiredSingleLine("The card token (sourceId)", MAX_TOKEN_LENGTH),
  amount: z
    .number("The amount must be a number of US dollars.")
    .meta({ description: "US dollars: the price of the service" }),
  appointmentData: z.record(z.string(), z.unknown(), "The appointment (appointmentData) must be an object."),
  idempotencyKey: idempotencyKeySchema.meta({
    description: "Or as the header Idempotency-Key",
  }),
});

/** The body of a card payment with the fields of `appointmentData`, for the API description. */
export const documentedPaymentSchema = cardPaymentSchema.extend({
  appointmentData: appointmentDataSchema.meta({ id: "VisitToBook" }),
});
/** Accepts any JSON object from the provider. Only its signature is checked. */
export const providerEventSchema = z.record(z.string(), z.unknown());

export const MAX_REASON_LENGTH = 500;
export const WAIVE_REASON_REQUIRED_MESSAGE = "Say why nothing is owed, for your own records.";

/** The administrator's form for an in-person payment. */
export const inPersonPaymentSchema = z.object({
  method: z.enum(IN_PERSON_METHODS, "Choose how it was paid."),
  note: optionalSingleLine("The note", MAX_REASON_LENGTH),
});
/** The administrator's form that undoes an in-person payment. */
export const undoPaymentSchema = z.object({ paymentId: requiredId("Choose a payment.") });
/** The administrator's form for a waiver, with the reason why nothing is owed for a visit. */
export const waiverSchema = z.object({
  waiveReason: requiredSingleLine("The reason", MAX_REASON_LENGTH, WAIVE_REASON_REQUIRED_MESSAGE),
});
export const refundSchema = z.object({
  paymentId: requiredId("Choose a payment."),
  amount: requiredSingleLine("The amount", MAX_KEY_LENGTH, "Enter an amount in dollars, such as 37.50."),
  reason: requiredSingleLine("The reason", MAX_REASON_LENGTH, "Say why, for your own records."),
  key: z.uuid("Please load this page again."),
});
