import type { FieldName } from "./intake-questions.ts";

export const INTAKE_SUBMITTED_TITLE = "Intake Form Submitted!";
export const INTAKE_FORM_TITLE = "Family Advocacy Intake Form";

/** The four sections. Each is a step of the form. */
export const INTAKE_SECTIONS = [
  {
    name: "client",
    title: "Client Information",
    intro: "About you, the person we will talk with.",
    fields: ["fullName", "phoneNumber", "emailAddress", "preferredContactMethod", "address"],
  },
  {
    name: "child",
    title: "Child/Individual Information",
    intro: "About the child or adult you are asking for help with.",
    fields: [
      "childName",
      "childAge",
      "childBirthday",
      "diagnosis",
      "servicesCurrentlyReceiving",
      "schoolName",
      "gradeLevel",
      "iepStatus",
    ],
  },
  {
    name: "concerns",
    title: "Primary Concerns or Goals",
    intro: "What you would like help with. You can leave out whatever you don't know yet.",
    fields: ["primaryConcerns", "otherConcerns"],
  },
  {
    name: "additional",
    title: "Additional Information",
    intro: "A few last things. All of them are optional.",
    fields: ["preferredDaysTimes", "howDidYouHear", "additionalNotes"],
  },
] as const satisfies readonly { name: string; title: string; intro: string; fields: readonly FieldName[] }[];

export type IntakeSection = (typeof INTAKE_SECTIONS)[number];
export type SectionName = IntakeSection["name"];

export function findIntakeSection(name: string | null): IntakeSection | null {
  return INTAKE_SECTIONS.find((section) => section.name === name) ?? null;
}

/** Returns the URL of a step on the page `base`. */
export function intakeStepPath(base: string, step: SectionName | "sections" | "check"): string {
  return `${base}?step=${step}`;
}
