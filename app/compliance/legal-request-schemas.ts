import { z } from "zod";
import { parseDay } from "../booking/wall-time.ts";
import {
  optionalId,
  requiredEmail,
  optionalSingleLine,
  requiredSingleLine,
  requiredName,
  requiredMultiLineText,
} from "../http/field-schemas.ts";
import { CASE_KINDS, CASE_OUTCOMES } from "./case-kinds.ts";

const MAX_NAME_LENGTH = 200;
const MAX_PHONE_LENGTH = 50;
const MAX_DAY_LENGTH = 10;

const familyIdSchema = optionalId("Choose a family, or none.");

/** Schema of the public form. */
export const complianceRequestSchema = z.object({
  kind: z.enum(["privacy", "accessibility"], "Choose what it is about."),
  name: requiredName("Your name", MAX_NAME_LENGTH, "Enter your name."),
  email: requiredEmail(),
  phone: optionalSingleLine("The phone number", MAX_PHONE_LENGTH),
  text: requiredMultiLineText("Your message", undefined, "Tell us what you would like."),
});

/** Returns the schema of a case that the consultant enters. `today` is the current day in the practice's time zone. */
export function createCaseSchema(today: string) {
  return z.object({
    kind: z.enum(CASE_KINDS, "Choose what it is."),
    userId: familyIdSchema,
    name: optionalSingleLine("The name", MAX_NAME_LENGTH),
    receivedDay: requiredSingleLine("The day", MAX_DAY_LENGTH, "Enter the day.").refine(
      (day) => parseDay(day) !== null && day <= today && day > "2000",
      "Enter a day that is not in the future.",
    ),
    text: requiredMultiLineText("The description", undefined, "Say what it is about."),
  });
}

export const closeCaseSchema = z.object({
  outcome: z.enum(CASE_OUTCOMES, "Choose how it ended."),
  userId: familyIdSchema,
  resolution: requiredMultiLineText("The note", undefined, "Say what you did, and when."),
});

export type ComplianceRequestValues = z.output<typeof complianceRequestSchema>;
export type CaseValues = z.output<ReturnType<typeof createCaseSchema>>;
export type CloseCaseValues = z.output<typeof closeCaseSchema>;
