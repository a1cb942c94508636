import { CONFIRM_ADDRESS_SENTENCE } from "../mail-only-sentences.ts";
import type { MessageContent } from "../message-content.ts";

type NamedRecipient = { firstName: string };

const NOT_ME_TEXT =
  "If this wasn't you, please don't confirm the address. Call or write to us, and we'll stop writing to you.";

/**
 * Builds the message to the unconfirmed address of a new account. Anyone could have entered the address and the name,
 * so the message contains neither the name nor any other text they entered.
 */
export function accountCreatedContent(practiceName: string): MessageContent {
  return {
    wording: { name: "account-made" },
    subject: "Welcome! Please confirm your email address",
    preview: "So that we know our messages reach you.",
    paragraphs: [
      `Someone, most likely you, just opened an account with ${practiceName}, using this address. Thank you. We're glad you're here.`,
      CONFIRM_ADDRESS_SENTENCE,
    ],
    action: { label: "Confirm my address", path: null },
    closing: [
      "What comes next: tell us about your family in the intake form, and choose a time for your first visit. You can stop in between and finish later.",
      "The link works for seven days. We may ask you to sign in first.",
      NOT_ME_TEXT,
    ],
  };
}

export function confirmEmailContent(): MessageContent {
  return {
    wording: { name: "confirm-email" },
    subject: "Please confirm your email address",
    preview: "So that we know our messages reach you.",
    paragraphs: [
      "Someone, most likely you, has an account with us and asked for this link again. Please confirm that this address is yours. Then we know that our messages reach you.",
    ],
    action: { label: "Confirm my address", path: null },
    closing: ["The link works for seven days. We may ask you to sign in first.", NOT_ME_TEXT],
  };
}

export function passwordResetContent({ firstName }: NamedRecipient): MessageContent {
  return {
    wording: { name: "password-reset" },
    subject: "Choose a new password",
    preview: "The link works once, for one hour.",
    firstName,
    paragraphs: [
      "Someone, most likely you, asked for a new password for your account. Press the button to choose one.",
    ],
    action: { label: "Choose a new password", path: null },
    closing: [
      "The link works once, for one hour.",
      "If you didn't ask for this, you can ignore this email. Your password stays the same.",
    ],
  };
}

export function passwordChangedContent({ firstName }: NamedRecipient, at: string): MessageContent {
  return {
    wording: { name: "password-changed" },
    subject: "Your password was changed",
    preview: "If it was you, you don't need to do anything.",
    firstName,
    paragraphs: [
      "The password for your account was changed. All your other devices are signed out.",
      "If it was you, you don't need to do anything. If it wasn't, choose a new password right away: we'll email you a link, and it signs out every device. Or call us.",
    ],
    facts: [{ label: "When", value: at }],
    action: { label: "Choose a new password", path: "/forgot-password" },
  };
}

export function newDeviceContent({ firstName }: NamedRecipient, at: string, device: string): MessageContent {
  return {
    wording: { name: "new-device" },
    subject: "New sign-in to your account",
    preview: "If it was you, you don't need to do anything.",
    firstName,
    paragraphs: [
      "Someone signed in to your account on a device we haven't seen before.",
      "If it was you, you don't need to do anything. If it wasn't, choose a new password right away: we'll email you a link, and it signs out every device. Or call us.",
    ],
    facts: [
      { label: "When", value: at },
      { label: "Device", value: device },
    ],
    action: { label: "Choose a new password", path: "/forgot-password" },
  };
}

/**
 * Builds the invitation. The consultant entered the address and the name, and neither is confirmed, so it has no name.
 */
export function invitationContent(
  practiceName: string,
  { hasVisit, until }: { hasVisit: boolean; until: string },
): MessageContent {
  const pendingVisitText = hasVisit
    ? "A visit is already booked for you. You'll see its time as soon as your account is open. To hear it without an account, please call us."
    : "";
  return {
    wording: { name: "invitation", values: { "visit waits": pendingVisitText, until } },
    subject: `${practiceName}: your invitation`,
    preview: "One private place for your visits and papers.",
    paragraphs: [
      `This is ${practiceName}. You have been in touch with us, so your consultant invites your family to open a private account. It costs nothing.`,
      ...(pendingVisitText ? [pendingVisitText] : []),
      "In your account you can see your visits, share papers safely, and tell us what we should know before we meet.",
    ],
    action: { label: "Open my account", path: null },
    closing: [
      "What comes next: press the button, choose a password, and you're in.",
      `The link works once, until ${until}. Please don't share it.`,
      "Not expecting this? You can ignore this email, or call us. Nothing happens unless you press the button.",
    ],
  };
}
