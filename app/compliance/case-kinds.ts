/** What the practice promises an answer to, and by when. */
export const CASE_KINDS = ["privacy", "accessibility", "incident"] as const;
export type CaseKind = (typeof CASE_KINDS)[number];

export const KIND_LABELS: Record<CaseKind, string> = {
  privacy: "Privacy request",
  accessibility: "Accessibility feedback",
  incident: "Incident",
};

/** The promises of the legal pages, as the consultant reads them. */
export const KIND_PROMISES: Record<CaseKind, string> = {
  privacy: "Answer within 30 days.",
  accessibility: "Answer within 2 business days.",
  incident: "Notify the families without delay, at the latest 60 days after you found out.",
};
