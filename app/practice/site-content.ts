import { formatCents } from "../ui/format-currency.ts";

type Price =
  | { priceCents: number; priceRangeCents?: undefined }
  | { priceRangeCents: readonly [from: number, to: number]; priceCents?: undefined };

export type Service = Price & {
  title: string;
  description: string;
  features: readonly string[];
  /** What the price covers in addition to the booked visit; null if it covers one session. */
  covers: string | null;
  /** The length of one visit in minutes; null if it varies. */
  minutes: number | null;
};

export const ADD_ON_COVERS = "This service, one time";

/** Add-ons to a service, each booked separately; prices are US cents. */
export const ADD_ONS = [
  { title: "Document Preparation", priceCents: 7500 },
  { title: "School Meeting Attendance", priceCents: 7500 },
  { title: "Follow-up Consultation", priceCents: 4000 },
  { title: "Resource Research and Compilation", priceCents: 4000 },
] as const;

/** The services in the order of the public page; prices are US cents. */
export const SERVICES: readonly Service[] = [
  {
    title: "Initial Consultation",
    covers: null,
    priceCents: 7500,
    minutes: 90,
    description: "Start here. You tell your story, and we sort out together what comes first.",
    features: ["90-minute session", "We look at your letters and reports with you", "You leave with clear next steps"],
  },
  {
    title: "Hourly Consulting",
    covers: null,
    priceCents: 7500,
    minutes: 60,
    description: "For one question, one letter or one meeting at a time.",
    features: ["One-hour sessions", "Book only the time you need", "School, medical or home questions"],
  },
  {
    title: "Starter Support Package",
    covers: "This first visit, a follow-up session and 30 days of email guidance",
    priceCents: 17500,
    minutes: 60,
    description: "A first month with someone at your side.",
    features: ["The initial consultation", "A follow-up session", "30 days of email guidance"],
  },
  {
    title: "Advocacy Partner Package",
    covers: "The whole package, starting with this visit",
    priceCents: 32500,
    minutes: 60,
    description: "For families who want an advocate beside them through a longer stretch.",
    features: ["IEP and educational advocacy", "Medical coordination", "Home management strategies"],
  },
  {
    title: "Monthly Retainer",
    covers: "Your first month, starting with this visit. Later months are charged separately",
    priceCents: 40000,
    minutes: 60,
    description: "Steady support, month after month.",
    features: ["Ongoing advocacy and consulting", "$400 for each month", "30 days written notice to end it"],
  },
  {
    title: "Add-On Services",
    covers: ADD_ON_COVERS,
    priceRangeCents: [4000, 7500],
    minutes: null,
    description: "Single pieces of help, by themselves or beside a package.",
    features: ADD_ONS.map(({ title, priceCents }) => `${title}: ${formatCents(priceCents)}`),
  },
];

/** Formats a price as "$75" or "$40-75". */
export function formatServicePrice(service: Price): string {
  if (service.priceCents !== undefined) return formatCents(service.priceCents);
  const [from, to] = service.priceRangeCents;
  return `${formatCents(from)}-${formatCents(to).slice(1)}`;
}

/** Facts about the practice, in the wording of docs/product.md. */
export const EXPERIENCE_TEXT = "Over 10 years of experience";
export const PRACTICE_LOCATION = "Long Branch, NJ";

export const ADVOCACY_AREAS = [
  "IEP and educational advocacy",
  "Medical coordination",
  "Home management strategies",
] as const;

export const BUSINESS_DETAILS = [
  "Child care services",
  `Located in ${PRACTICE_LOCATION}`,
  "Serving families across New Jersey and nearby",
] as const;

export const CREDENTIALS = [
  "Bachelor's in psychology",
  "Master's in applied behavior analysis, with an autism concentration",
] as const;

export const SERVICE_AREA_LINES = ["Nationwide virtual consultations", "In-person services: Metro area"] as const;
export const EMAIL_RESPONSE_TIME = "Response within 24 hours";
export const EMERGENCY_AVAILABILITY = "Emergency consultations available";

/**
 * Version of the current terms and privacy policy: the day of their wording, which their pages show. Changed wording
 * needs a new day: tests/practice/legal-promises.unit.test.ts contains a hash of each text.
 */
export const TERMS_VERSION = "2026-11-26";
/**
 * The day on which the legal texts took effect, and the month of their last change. Both are part of the specification.
 */
export const LEGAL_TEXTS_EFFECTIVE_DATE = "2025-01-01";
export const LEGAL_TEXTS_UPDATED_MONTH = "2024-12";

/** Days for which a draft is stored after it was last saved. The privacy policy mentions this number. */
export const DRAFT_RETENTION_DAYS = 30;

/** Six announced resources that don't exist yet, with the texts of their buttons. */
export const RESOURCES = [
  { title: "IEP Meeting Preparation Guide", action: "Download PDF" },
  { title: "Rights & Accommodations Checklist", action: "View Online" },
  { title: "Webinar Series", action: "Watch Now" },
  { title: "Support Group Directory", action: "Find Groups" },
  { title: "Special Education Law Guide", action: "Read More" },
  { title: "Monthly Newsletter", action: "Subscribe" },
] as const;

export const ACCOUNT_REQUIRED_MESSAGE =
  "Please create an account first to schedule appointments. You'll be redirected to the registration page.";

/** The first name of the administrator's account until it is changed. */
export const DEFAULT_ADMIN_FIRST_NAME = "Consultant";
