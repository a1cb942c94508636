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
    preview: "Sign in before then if you want to keep it.",
    firstName,
    paragraphs: [
      "You asked us to delete your account. You are signed out on every device, and your visits to come are cancelled.",
      "Did you change your mind? Sign in before that time and choose Keep my account.",
    ],
    facts: [{ label: "Deleted on", value: date }],
    action: { label: "Sign in", path: "/login" },
    closing: [`If this was not you, sign in, keep the account and choose a new password. Or call us at ${phone}.`],
  };
}

/** To the consultant; names nobody. */
export function erasureRequestedForConsultantContent(familyId: number, date: string): MessageContent {
  return {
    subject: "A family asked to delete its account",
    preview: "You have until then to look after what is open.",
    paragraphs: [
      "A family asked to delete its account. Its visits to come are cancelled. If it does not change its mind, everything about it is deleted, your notes too. Records of money stay, without a name.",
    ],
    facts: [{ label: "Deleted on", value: date }],
    action: { label: "Open the family’s page", path: `/families/${familyId}` },
  };
}
