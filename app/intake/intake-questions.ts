/**
 * The questions of the form, in the wording of docs/product.md. Validation is in `schemas.ts`, the order in
 * `sections.ts`. The loaders send the questions to the pages, so they are not part of the browser's scripts.
 */
export const CONTACT_METHODS = ["phone", "email"] as const;
export const IEP_STATUSES = ["yes", "no", "in_process"] as const;
export const PRIMARY_CONCERNS = [
  "School Advocacy / IEP / 504 Plans",
  "Understanding a Diagnosis or Evaluation",
  "Finding Referrals / Providers",
  "Transition Planning (school, adulthood, etc.)",
  "Insurance / Benefits Support",
  "Communication with School or Providers",
] as const;

/**
 * `maxLength` is in characters. Questions of kind `text` use the common limit and have no `maxlength` attribute, which
 * would silently truncate a pasted text.
 */
export type Question = {
  label: string;
  kind: "line" | "email" | "tel" | "text" | "choice" | "list";
  required?: true;
  maxLength?: number;
  hint?: string;
  autoComplete?: string;
  /** Rendered as a narrow field for a short answer. */
  isShort?: true;
  options?: readonly { value: string; label: string }[];
};

const IEP_HINT =
  "An IEP (Individualized Education Program) is a school's written plan for special education. A 504 plan lists the changes a school makes so that a student with a disability can take part.";

export const INTAKE_QUESTIONS = {
  fullName: { label: "Full name", kind: "line", required: true, maxLength: 255, autoComplete: "name" },
  phoneNumber: {
    label: "Phone number",
    isShort: true,
    kind: "tel",
    required: true,
    maxLength: 50,
    autoComplete: "tel",
  },
  emailAddress: { label: "Email address", kind: "email", required: true, maxLength: 255, autoComplete: "email" },
  preferredContactMethod: {
    label: "Preferred contact method",
    kind: "choice",
    required: true,
    options: [
      { value: "phone", label: "Phone" },
      { value: "email", label: "Email" },
    ],
  },
  address: {
    label: "Home address",
    kind: "text",
    required: true,
    autoComplete: "street-address",
    hint: "Street, city, state and ZIP code.",
  },

  childName: {
    label: "Child's name",
    kind: "line",
    required: true,
    maxLength: 255,
    hint: "Or the name of the adult you are asking for help with.",
  },
  childAge: {
    label: "Child's age",
    isShort: true,
    kind: "line",
    required: true,
    maxLength: 100,
    hint: "For example, 9 years. Leave it empty, and we'll work it out from the birthday.",
  },
  childBirthday: {
    label: "Child's birthday",
    isShort: true,
    kind: "line",
    required: true,
    maxLength: 100,
    hint: "For example, March 14, 2017.",
  },
  diagnosis: { label: "Diagnosis", kind: "text", hint: "What a doctor or an evaluation has named, if anything yet." },
  servicesCurrentlyReceiving: {
    label: "Services currently receiving",
    kind: "text",
    hint: "For example, speech therapy once a week at school.",
  },
  schoolName: { label: "School name", kind: "line", maxLength: 255 },
  gradeLevel: { label: "Grade level", isShort: true, kind: "line", maxLength: 50, hint: "For example, 3rd grade." },
  iepStatus: {
    label: "Is there an IEP or 504 plan?",
    kind: "choice",
    hint: IEP_HINT,
    options: [
      { value: "yes", label: "Yes" },
      { value: "no", label: "No" },
      { value: "in_process", label: "In process" },
    ],
  },

  primaryConcerns: {
    label: "Primary concerns",
    kind: "list",
    hint: "Choose all that fit. An IEP and a 504 plan are a school's written plans to support a student.",
    options: PRIMARY_CONCERNS.map((concern) => ({ value: concern, label: concern })),
  },
  otherConcerns: { label: "Other concerns", kind: "text", hint: "What else weighs on you, or what you hope for." },

  preferredDaysTimes: { label: "Preferred days and times", kind: "text", hint: "For example, Mondays after 3 PM." },
  howDidYouHear: { label: "How did you hear about us?", kind: "text" },
  additionalNotes: { label: "Additional notes", kind: "text", hint: "Anything else we should know before we talk." },
} as const satisfies Record<string, Question>;

export type FieldName = keyof typeof INTAKE_QUESTIONS;

/** Answers as entered, valid or not: a list for the concerns, text for everything else. */
export type Answers = Partial<Record<FieldName, string | string[]>>;
