import { z } from "zod";
import { idSchema, instantSchema, unvalidatedEnumSchema } from "../http/api-response-schemas.ts";
import { URGENCIES } from "./consultation-request-schemas.ts";

export const requestListQuerySchema = z.object({
  after: idSchema.optional().meta({
    description: "The id of the last request of a list: the list goes on after it, and is empty at the end",
  }),
});

export const consultationRequestResponseSchema = z
  .object({
    id: idSchema,
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    serviceNeeds: z.string(),
    urgency: unvalidatedEnumSchema(URGENCIES),
    message: z.string().nullable(),
    consent: z.boolean(),
    status: unvalidatedEnumSchema(["pending", "scheduled"]),
    userId: idSchema
      .nullable()
      .meta({ description: "The family that was signed in when asking, or confirmed the address later" }),
    createdAt: instantSchema,
  })
  .meta({ id: "ConsultationRequest" });
