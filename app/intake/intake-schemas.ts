import { z } from "zod";
import {
  optionalSingleLine,
  optionalMultiLineText,
  requiredSingleLine,
  requiredMultiLineText,
} from "../http/field-schemas.ts";
import { CONTACT_METHODS, IEP_STATUSES, PRIMARY_CONCERNS } from "./intake-questions.ts";
import type { SectionName } from "./intake-sections.ts";

/** Returns the schema of a choice with a default for absent or empty values, as in the form. */
function choiceWithDefault<const Values extends readonly [string, ...string[]]>(
  values: Values,
  defaultValue: Values[number],
  error: string,
) {
  return z.preprocess(
    (value) => {
      const text = typeof value === "string" ? value.trim() : (value ?? "");
      return text === "" ? undefined : text;
    },
    z.enum(values, error).default(() => defaultValue),
  );
}

/** A list of texts without duplicates, in the form's order. */
const concernsSchema = z
  .preprocess(
    (value) => (value === "" ? [] : (value ?? [])),
    z
      .array(z.unknown().meta({ enum: [...PRIMARY_CONCERNS] }), "Primary concerns must be a list.")
      .refine((list) => list.length <= PRIMARY_CONCERNS.length, {
        error: `Choose at most ${PRIMARY_CONCERNS.length} primary concerns.`,
        abort: true,
      })
      .refine(
        (list) => list.every((item) => PRIMARY_CONCERNS.some((concern) => concern === item)),
        "Choose primary concerns from the list.",
      ),
  )
  .transform((list) => PRIMARY_CONCERNS.filter((concern) => list.includes(concern)));

const clientFields = {
  fullName: requiredSingleLine("Your full name", 255, "Enter your full name."),
  phoneNumber: requiredSingleLine("Your phone number", 50, "Enter a phone number where we can reach you."),
  // Stored as entered, because it is contact data and does not identify an account.
  emailAddress: requiredSingleLine("Your email address", 255, "Enter your email address.").pipe(
    z.email("Enter an email address such as name@example.com."),
  ),
  preferredContactMethod: choiceWithDefault(
    CONTACT_METHODS,
    "phone",
    "Choose phone or email as the way to contact you.",
  ),
  address: requiredMultiLineText("Your home address", undefined, "Enter your home address."),
};

const childFields = {
  childName: requiredSingleLine("The child's name", 255, "Enter the child's name."),
  childAge: requiredSingleLine("The child's age", 100, "Enter the child's age."),
  childBirthday: requiredSingleLine("The child's birthday", 100, "Enter the child's birthday, such as March 14, 2017."),
  diagnosis: optionalMultiLineText("The diagnosis"),
  servicesCurrentlyReceiving: optionalMultiLineText("The services"),
  schoolName: optionalSingleLine("The school name", 255),
  gradeLevel: optionalSingleLine("The grade level", 50),
  iepStatus: choiceWithDefault(IEP_STATUSES, "no", "Choose yes, no or in process for the IEP or 504 plan."),
};

const concernsFields = {
  primaryConcerns: concernsSchema,
  otherConcerns: optionalMultiLineText("Other concerns"),
};

const additionalFields = {
  preferredDaysTimes: optionalMultiLineText("Your preferred days and times"),
  howDidYouHear: optionalMultiLineText("How you heard about us"),
  additionalNotes: optionalMultiLineText("Your additional notes"),
};

/** Schema of the complete form, for the API and for storing it. */
export const intakeFormSchema = z.object({ ...clientFields, ...childFields, ...concernsFields, ...additionalFields });

/** Schemas of the form, by section. */
export const sectionSchemas = {
  client: z.object(clientFields),
  child: z.object(childFields),
  concerns: z.object(concernsFields),
  additional: z.object(additionalFields),
} satisfies Record<SectionName, z.ZodType>;

export type IntakeValues = z.output<typeof intakeFormSchema>;
