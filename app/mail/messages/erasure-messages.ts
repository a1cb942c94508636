import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import type { MessageContent } from "../message-content.ts";

/** Builds the message to the family that requested the deletion of its account. `date` is formatted for display. */
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

/**
 * Builds the message to the family when the consultant scheduled the deletion of its account. `date` is formatted for
 * display. A family whose account is closed can't sign in, so its message does not use the consultant's wording.
 */
export function erasureScheduledContent(
  { firstName, isClosed }: { firstName: string; isClosed: boolean },
  date: string,
  phone: string,
): MessageContent {
  const howToCancel = isClosed
    ? `Changed your mind? Call us before the time below at ${phone}. The visits stay canceled.`
    : `Changed your mind? Sign in before the time below and choose Keep my account, or call us at ${phone}. The visits stay canceled: you'd have to book them again.`;
  return {
    ...(!isClosed && {
      wording: { name: "erasure-scheduled", values: { "how to keep it": howToCancel } },
      action: { label: "Sign in", path: "/login" },
    }),
    subject: "Your account will be deleted",
    preview: "Changed your mind? You can still keep it.",
    firstName,
    paragraphs: [
      "Your consultant has scheduled the deletion of your account for the time below. You're signed out on every device, and your upcoming visits are canceled.",
      "What you paid online for them goes back in full. Each visit has its own email about that.",
      howToCancel,
    ],
    facts: [{ label: "Will be deleted on", value: date }],
    closing: [
      "Records of payments stay after that, without your name.",
      `You didn't ask us for this? Then please call us right away at ${phone}.`,
    ],
  };
}

/**
 * Builds the message to an earlier address whose link can still restore the account to it. Other people may be able to
 * read that mailbox by now, so it contains no personal data.
 */
export function erasureRequestedForPreviousAddressContent(
  date: string,
  phone: string,
  { isByPractice }: { isByPractice: boolean },
): MessageContent {
  const deletionReason = isByPractice ? "we have scheduled it" : "somebody asked for it";
  const ifRequestedSentence = isByPractice
    ? "If you asked us for it, you don't need to do anything. If you didn't"
    : "If that was you, you don't need to do anything. If it wasn't you";
  return {
    subject: "An account will be deleted",
    preview: "If you asked for it, you don't need to do anything.",
    paragraphs: [
      `An account with us that used this email address until a few days ago will be deleted at the time below, because ${deletionReason}.`,
      `${ifRequestedSentence}, open the email in which we told you that the address was changed, and press its button. That gives the account this address back and stops the deletion.`,
    ],
    facts: [{ label: "Will be deleted on", value: date }],
    closing: [`The button works once, for seven days from the change. You can also call us at ${phone}.`],
  };
}

/**
 * Adds to a message about an account's security what its owner should know while the account is scheduled for deletion.
 */
export function addPendingErasureNotice(
  content: MessageContent,
  date: string,
  { isByPractice }: { isByPractice: boolean },
): MessageContent {
  const requesterClause = isByPractice ? "as your consultant has scheduled" : "as somebody, most likely you, asked";
  return {
    ...content,
    facts: [...(content.facts ?? []), { label: "Account will be deleted on", value: date }],
    moreLink: { label: "Sign in to keep your account", path: "/login" },
    closing: [
      ...(content.closing ?? []),
      `Your account is still to be deleted, ${requesterClause}. To keep it, sign in before then and choose Keep my account.`,
    ],
  };
}

/**
 * Who canceled the deletion: the family while signed in, the consultant, or the family by undoing an address change.
 */
export type CanceledBy = "family" | "practice" | "undo";

const CANCELED_BY_TEXTS: Record<CanceledBy, string> = {
  family: "Your account stays: someone, most likely you, signed in and chose Keep my account. Nothing was deleted.",
  practice: "Your account stays: we were asked to keep it. Nothing was deleted.",
  undo: "Your account stays. Its deletion was scheduled after its email address was changed. You took that change back, which ended the deletion too. Nothing was deleted.",
};

/** Builds the message to the family that the deletion was canceled. `at` is formatted for display. */
export function erasureCanceledContent(
  { firstName, isClosed = false }: { firstName: string; isClosed?: boolean },
  at: string,
  phone: string,
  canceledBy: CanceledBy = "family",
): MessageContent {
  if (isClosed)
    return {
      subject: "Your account stays",
      preview: "It won't be deleted.",
      firstName,
      paragraphs: [
        CANCELED_BY_TEXTS[canceledBy],
        "Your account on our website stays closed, so you can't sign in there.",
      ],
      facts: [{ label: "Kept on", value: at }],
      closing: [`Do you still want it deleted? Call us at ${phone}.`],
    };
  return {
    ...(canceledBy === "family" && { wording: { name: "erasure-withdrawn" as const } }),
    subject: "Your account stays",
    preview: "It won't be deleted.",
    firstName,
    paragraphs: [
      CANCELED_BY_TEXTS[canceledBy],
      "The visits that were canceled don't come back. You can book them again. A calendar link has to be made again, too.",
    ],
    facts: [{ label: "Kept on", value: at }],
    action: { label: "Open my account", path: "/dashboard" },
    moreLink: { label: "This wasn't me: choose a new password", path: "/forgot-password" },
    closing: [`If it wasn't you, you can also call us at ${phone}.`],
  };
}

/** Builds the message to the consultant that a deletion was canceled. Contains no personal data. */
export function erasureCanceledForConsultantContent(
  firstName: string,
  familyId: number,
  { wasByPractice }: { wasByPractice: boolean },
): MessageContent {
  const familyDescription = wasByPractice
    ? "A family whose account you had scheduled to be deleted"
    : "A family that had asked to delete their account";
  return {
    subject: "A family keeps their account",
    preview: "It won't be deleted.",
    firstName,
    paragraphs: [
      `${familyDescription} keeps it. Nothing was deleted, and you can book for them again. The visits that were canceled don't come back.`,
    ],
    action: { label: "Open the family’s page", path: `/families/${familyId}` },
  };
}

/**
 * Builds the message to the consultant about a scheduled deletion. Contains no personal data. `unconfirmedRequests` is
 * the number of consultation requests that were sent with the family's email address while it was not confirmed.
 */
export function erasureRequestedForConsultantContent(
  firstName: string,
  familyId: number,
  {
    date,
    unconfirmedRequests,
    isByPractice = false,
  }: { date: string; unconfirmedRequests: number; isByPractice?: boolean },
): MessageContent {
  const requests = formatCountWithNoun(unconfirmedRequests, "consultation request");
  return {
    subject: isByPractice ? "You scheduled the deletion of an account" : "A family asked to delete their account",
    preview: "Their upcoming visits are canceled.",
    firstName,
    paragraphs: [
      `${isByPractice ? "You scheduled the deletion of a family's account" : "A family asked to delete their account"}. Their upcoming visits are canceled. Unless they change their mind, everything about them is deleted at the time below, including your notes. Payment records stay, without a name.`,
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
