import { z } from "zod";
import { dollarsSchema, idSchema, instantSchema, unvalidatedEnumSchema } from "../http/api-response-schemas.ts";
import { FINAL_STATUSES, OPEN_STATUSES } from "./appointment-status.ts";
import { APPOINTMENT_TYPES, MAX_VISIT_MINUTES, MIN_VISIT_MINUTES } from "./booking-rules.ts";

const PAYMENT_STATUSES = ["pending", "paid", "refunded", "partly-refunded", "failed"];

const adminOnlySchema = (schema: z.ZodType<string | null>) =>
  schema.optional().meta({ description: "Only for the administrator" });

export const appointmentListCursorSchema = z.object({
  before: idSchema.optional().meta({
    description: "The id of the first appointment of a list: lists those before it, and none at the end",
  }),
  after: idSchema.optional().meta({
    description: "The id of the last appointment of a list: lists those after it, and none at the end",
  }),
});

export const appointmentResponseSchema = z
  .object({
    id: idSchema,
    userId: idSchema.nullable().meta({ description: "The family; null while no account has it" }),
    title: z.string(),
    description: z.string().nullable(),
    appointmentDate: instantSchema.meta({ description: "The start" }),
    duration: z.int().min(MIN_VISIT_MINUTES).max(MAX_VISIT_MINUTES).meta({ description: "Minutes" }),
    type: unvalidatedEnumSchema(APPOINTMENT_TYPES),
    status: unvalidatedEnumSchema([...OPEN_STATUSES, ...FINAL_STATUSES]),
    urgency: z.string().nullable(),
    meetingLink: z.string().nullable(),
    place: z
      .string()
      .nullable()
      .meta({ description: "Where this visit in person takes place; null where it has no place of its own" }),
    notes: z.string().nullable(),
    isLiveVideoCall: z.boolean(),
    paymentAmount: dollarsSchema.nullable(),
    paymentStatus: unvalidatedEnumSchema(PAYMENT_STATUSES),
    paymentId: z.string().nullable(),
    paymentDate: instantSchema.nullable(),
    createdAt: instantSchema,
    updatedAt: instantSchema,
    clientFirstName: adminOnlySchema(z.string().nullable()),
    clientLastName: adminOnlySchema(z.string().nullable()),
  })
  .meta({ id: "Appointment" });

export const availabilityQuerySchema = z.object({
  date: z.string().meta({ description: "A day in the practice's time zone, such as 2026-12-07" }),
  time: z.string().meta({ description: "A time in the practice's time zone, such as 10:00" }),
  duration: z.int().meta({ description: "Minutes" }),
  type: z.enum(APPOINTMENT_TYPES).optional(),
});

export const availabilityResponseSchema = z
  .object({
    available: z.boolean(),
    reason: z.string().nullable().meta({ description: "A sentence for a person; null when it is available" }),
  })
  .meta({ id: "Availability" });

export const calendarFeedResponseSchema = z
  .object({ url: z.string().meta({ description: "Holds the secret of the feed. It is shown only this once." }) })
  .meta({ id: "CalendarFeed" });
