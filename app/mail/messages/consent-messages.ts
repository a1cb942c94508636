import type { MessageContent } from "../content.ts";

/** To the consultant; names nobody. */
export function consentWithdrawnContent(familyId: number): MessageContent {
  return {
    subject: "A family took back an agreement",
    preview: "From now on it does not count any more.",
    paragraphs: ["A family took back something it had signed. Its page says what, and since when it does not count."],
    action: { label: "Open the family’s page", path: `/families/${familyId}` },
  };
}
