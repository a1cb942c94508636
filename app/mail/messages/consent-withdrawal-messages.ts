import type { MessageContent } from "../message-content.ts";

/**
 * Builds the message to the family when the consultant ended an agreement on its behalf. `at` is formatted for display.
 */
export function consentWithdrawnContent(
  { firstName, isClosed = false }: { firstName: string; isClosed?: boolean },
  { title, at, phone }: { title: string; at: string; phone: string },
): MessageContent {
  return {
    wording: { name: "consent-withdrawn" },
    subject: "We ended an agreement, as you asked",
    preview: "You didn't ask for that? Please call us.",
    firstName,
    paragraphs: [
      "You told us that you take back an agreement that you had signed. We ended it, so it no longer counts.",
    ],
    facts: [
      { label: "Agreement", value: title },
      { label: "Ended on", value: at },
    ],
    ...(!isClosed && { action: { label: "See your agreements", path: "/consents" } }),
    closing: [`You didn't ask for that? Please call us at ${phone}.`],
  };
}

/** Builds the message to the consultant about an agreement that ended. Contains no personal data. */
export function consentWithdrawnForConsultantContent(firstName: string, familyId: number): MessageContent {
  return {
    subject: "A family took back an agreement",
    preview: "It no longer counts.",
    firstName,
    paragraphs: [
      "A family took back an agreement they had signed. Their page shows which one, and since when it no longer counts. From then on, please don't do what it allowed.",
    ],
    action: { label: "Open the family’s page", path: `/families/${familyId}` },
  };
}
