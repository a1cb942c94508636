import type { MessageContent } from "../content.ts";

/** To the family; `date` as a person reads it. */
export function erasureRequestedContent(
  { firstName }: { firstName: string },
  date: string,
  phone: string,
): MessageContent {
  return {
    wording: { name: "erasure-requested" },
    subject: "Your account will be deleted",
    preview: "Changed your mind? You can still keep it.",
    firstName,
    paragraphs: [
      "You asked us to delete your account. You're signed out on every device, and your upcoming visits are canceled.",
      "Changed your mind? Sign in before the date below and choose Keep my account.",
    ],
    facts: [{ label: "Deleted on", value: date }],
    action: { label: "Sign in", path: "/login" },
    closing: [`If this wasn't you, sign in, choose Keep my account, and change your password. Or call us at ${phone}.`],
  };
}

/** To the consultant; names nobody. */
export function erasureRequestedForConsultantContent(familyId: number, date: string): MessageContent {
  return {
    subject: "A family asked to delete their account",
    preview: "Please check for anything that is still open.",
    paragraphs: [
      "A family asked to delete their account. Their upcoming visits are canceled. Unless they change their mind, everything about them is deleted on the date below, including your notes. Payment records stay, without a name.",
    ],
    facts: [{ label: "Deleted on", value: date }],
    action: { label: "Open the family’s page", path: `/families/${familyId}` },
  };
}
