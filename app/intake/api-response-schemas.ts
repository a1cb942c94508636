import { z } from "zod";
import { idSchema, instantSchema, unvalidatedEnumSchema } from "../http/api-response-schemas.ts";
import { CONTACT_METHODS, IEP_STATUSES } from "./intake-questions.ts";

export const familyQuerySchema = z.object({
  userId: idSchema.optional().meta({ description: "The family; the administrator must name one" }),
});

const answerSchema = z.string().nullable();

export const intakeFormResponseSchema = z
  .object({
    id: idSchema,
    userId: idSchema,
    fullName: z.string(),
    phone: z.string(),
    email: z.string(),
    preferredContactMethod: unvalidatedEnumSchema(CONTACT_METHODS),
    address: z.string(),
    childName: z.string(),
    childAge: z.string(),
    childDateOfBirth: z.string().meta({ description: "As the family wrote it" }),
    diagnosis: answerSchema,
    servicesCurrentlyReceiving: answerSchema,
    schoolName: answerSchema,
    gradeLevel: answerSchema,
    iepStatus: unvalidatedEnumSchema(IEP_STATUSES).nullable(),
    primaryConcerns: z.string().meta({ description: "A list of texts, as JSON in a text" }),
    otherConcerns: answerSchema,
    additionalNotes: answerSchema,
    preferredDaysTimes: answerSchema,
    howDidYouHear: answerSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({ id: "IntakeForm" });
