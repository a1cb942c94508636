/** Links to the sections of the public page, in page order. They are absolute, for use on every page. */
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

/** The page on which the consultant sets the address, the tax number and the place of in-person visits. */
export const PRACTICE_DETAILS_PATH = "/practice-details";

/** The page with requests about privacy and accessibility, and incidents, for the consultant. */
export const COMPLIANCE_CASES_PATH = "/compliance";

/** The form of the legal pages. `?kind=accessibility` preselects that kind of request. */
export const LEGAL_REQUEST_PATH = "/legal-request";

export const REQUEST_CONSULTATION_PATH = "/request-consultation";

/** Returns the path that opens the scheduling dialog with a service preselected. */
export function buildServiceBookingPath(title: string): string {
  return `/appointments?service=${encodeURIComponent(title)}`;
}

export function phoneHref(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, "")}`;
}

/** Formats a phone number of ten digits in US format; returns any other number as typed. */
export function formatPhone(phone: string): string {
  const [, area, exchange, line] = /^(\d{3})(\d{3})(\d{4})$/.exec(phone.replace(/[\s().-]/g, "")) ?? [];
  return area ? `(${area}) ${exchange}-${line}` : phone;
}
