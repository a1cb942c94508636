/** Links to the sections of the public page, in its order; absolute, for use on every page. */
export const SECTION_LINKS = [
  { label: "Home", href: "/#home" },
  { label: "About", href: "/#about" },
  { label: "Services", href: "/#services" },
  { label: "Resources", href: "/#resources" },
] as const;

export const LEGAL_LINKS = [
  { label: "Privacy Policy", href: "/privacy-policy" },
  { label: "Terms of Service", href: "/terms-of-service" },
  { label: "HIPAA Compliance", href: "/hipaa-compliance" },
  { label: "Accessibility", href: "/accessibility" },
] as const;

/** Where the consultant sets her address, her tax number and the place of visits in person. */
export const PRACTICE_DETAILS_PATH = "/practice-details";

/** The consultant's requests about privacy and accessibility, and incidents. */
export const CASES_PATH = "/compliance";

/** The form of the legal pages; `?kind=accessibility` chooses that. */
export const LEGAL_REQUEST_PATH = "/legal-request";

export const REQUEST_CONSULTATION_PATH = "/request-consultation";

/** The page that opens the schedule dialog with a service in it. */
export function bookServicePath(title: string): string {
  return `/appointments?service=${encodeURIComponent(title)}`;
}

export function phoneLink(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, "")}`;
}

/** A phone number of ten digits as it is written in the US; any other as it was typed. */
export function formatPhone(phone: string): string {
  const [, area, exchange, line] = /^(\d{3})(\d{3})(\d{4})$/.exec(phone.replace(/[\s().-]/g, "")) ?? [];
  return area ? `(${area}) ${exchange}-${line}` : phone;
}
