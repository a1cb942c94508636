import type { MessageContent } from "../message-content.ts";

/** To the consultant; names nobody. */
export function consentWithdrawnContent(firstName: string, familyId: number): MessageContent {
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
