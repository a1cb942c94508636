import { formatCount } from "../../format-count.ts";
import type { MessageContent } from "../message-content.ts";

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
      "What you paid online for them goes back by our terms: all of it for a visit that was 24 hours or more away, half for one that was closer. Each visit has its own email about that.",
      "Changed your mind? Sign in before the time below and choose Keep my account. The visits stay canceled: you'd have to book them again.",
    ],
    facts: [{ label: "Will be deleted on", value: date }],
    action: { label: "Sign in", path: "/login" },
    closing: [
      "Records of payments stay after that, without your name.",
      `If this wasn't you, sign in, choose Keep my account, and change your password. Or call us at ${phone}.`,
    ],
  };
}

/** To the family; `at` as a person reads it. */
export function accountKeptContent({ firstName }: { firstName: string }, at: string, phone: string): MessageContent {
  return {
    wording: { name: "erasure-withdrawn" },
    subject: "Your account stays",
    preview: "It won't be deleted.",
    firstName,
    paragraphs: [
      "Your account stays: someone, most likely you, signed in and chose Keep my account. Nothing was deleted.",
      "The visits that were canceled don't come back. You can book them again. A calendar link has to be made again, too.",
    ],
    facts: [{ label: "Kept on", value: at }],
    action: { label: "Open my account", path: "/dashboard" },
    moreLink: { label: "This wasn't me: choose a new password", path: "/forgot-password" },
    closing: [`If it wasn't you, you can also call us at ${phone}.`],
  };
}

/** To the consultant; names nobody. */
export function familyStaysContent(firstName: string, familyId: number): MessageContent {
  return {
    subject: "A family keeps their account",
    preview: "It won't be deleted.",
    firstName,
    paragraphs: [
      "A family that had asked to delete their account keeps it. Nothing was deleted, and you can book for them again. The visits that were canceled don't come back.",
    ],
    action: { label: "Open the family’s page", path: `/families/${familyId}` },
  };
}

/**
 * To the consultant; names nobody. `unconfirmedRequests`: how many were sent with the family's address, which nobody has
 * confirmed.
 */
export function erasureRequestedForConsultantContent(
  firstName: string,
  familyId: number,
  { date, unconfirmedRequests }: { date: string; unconfirmedRequests: number },
): MessageContent {
  const requests = formatCount(unconfirmedRequests, "consultation request");
  return {
    subject: "A family asked to delete their account",
    preview: "Their upcoming visits are canceled.",
    firstName,
    paragraphs: [
      "A family asked to delete their account. Their upcoming visits are canceled. Unless they change their mind, everything about them is deleted at the time below, including your notes. Payment records stay, without a name.",
      "Before that, please settle what is still open with them, and save what you must keep.",
      ...(unconfirmedRequests > 0
        ? [
            `${requests} came with their email address, which they have not confirmed. What came that way may be somebody else's, so it is not deleted with the account. Under Requests you can delete what is open.`,
          ]
        : []),
    ],
    facts: [{ label: "Will be deleted on", value: date }],
    action: { label: "Open the family’s page", path: `/families/${familyId}` },
  };
}
