/** Kinds of cases. The practice promises to answer each within a certain time. */
export const CASE_KINDS = ["privacy", "accessibility", "incident"] as const;
export type CaseKind = (typeof CASE_KINDS)[number];

export const KIND_LABELS: Record<CaseKind, string> = {
  privacy: "Privacy request",
  accessibility: "Accessibility feedback",
  incident: "Incident",
};

/** The promises of the legal pages, worded for the consultant. */
export const CASE_DEADLINE_TEXTS: Record<CaseKind, string> = {
  privacy: "Answer within 30 days.",
  accessibility: "Answer within 2 business days.",
  incident: "Notify the families without delay, at the latest 60 days after you found out.",
};

/** How a case ended. The consultant chooses it when she closes the case. */
export const CASE_OUTCOMES = ["answered", "declined", "notified", "not-required"] as const;
type CaseOutcome = (typeof CASE_OUTCOMES)[number];
/** Adds the outcome for a family that was erased before its request was answered. */
export type StoredOutcome = CaseOutcome | "account-erased";

export const OUTCOME_LABELS: Record<StoredOutcome, string> = {
  answered: "You answered, or did what they asked",
  declined: "You told them why you could not",
  notified: "You notified whoever had to be",
  "not-required": "Nobody had to be notified",
  "account-erased": "The family deleted its account before",
};

/** Returns the outcomes with which a case of this kind can be closed. */
export function outcomesForKind(kind: CaseKind): readonly [CaseOutcome, CaseOutcome] {
  return kind === "incident" ? ["notified", "not-required"] : ["answered", "declined"];
}
