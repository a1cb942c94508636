import type { MessageContent } from "../content.ts";

type Named = { firstName: string };

const NOT_ME = "If this wasn't you, you can ignore this email. Nothing happens unless you press the button.";

/**
 * To an address that is not confirmed: anybody could have typed it, and the name, so it has neither name nor words of
 * theirs.
 */
export function accountMadeContent(): MessageContent {
  return {
    wording: { name: "account-made" },
    subject: "Welcome! Please confirm your email address",
    preview: "One tap tells us that our messages reach you.",
    paragraphs: [
      "Your account is ready. Please confirm that this address is yours, so you get reminders and news about your visits.",
    ],
    action: { label: "Confirm my address", path: null },
    closing: ["The link works for seven days.", NOT_ME],
  };
}

export function confirmEmailContent(): MessageContent {
  return {
    wording: { name: "confirm-email" },
    subject: "Please confirm your email address",
    preview: "Then we can send our messages here.",
    paragraphs: [
      "Someone, most likely you, asked us to send messages to this address. Please confirm that it is yours.",
    ],
    action: { label: "Confirm my address", path: null },
    closing: ["The link works for seven days.", NOT_ME],
  };
}

export function passwordResetContent({ firstName }: Named): MessageContent {
  return {
    wording: { name: "password-reset" },
    subject: "Choose a new password",
    preview: "The link works once, for one hour.",
    firstName,
    paragraphs: ["You told us you forgot your password. Use this button to choose a new one."],
    action: { label: "Choose a new password", path: null },
    closing: [
      "The link works once, for one hour.",
      "If you didn't ask for this, you can ignore this email. Your password stays the same.",
    ],
  };
}

export function passwordChangedContent({ firstName }: Named, at: string): MessageContent {
  return {
    wording: { name: "password-changed" },
    subject: "Your password was changed",
    preview: "If it was you, you don't need to do anything.",
    firstName,
    paragraphs: [
      "The password for your account was changed. All your other devices are signed out.",
      "If it was you, you don't need to do anything. If it wasn't, please call us right away or choose a new password.",
    ],
    facts: [{ label: "When", value: at }],
    action: { label: "This wasn't me", path: "/forgot-password" },
  };
}

export function newDeviceContent({ firstName }: Named, at: string, device: string): MessageContent {
  return {
    wording: { name: "new-device" },
    subject: "New sign-in to your account",
    preview: "If it was you, you don't need to do anything.",
    firstName,
    paragraphs: [
      "Someone signed in to your account on a device we haven't seen before.",
      "If it was you, you don't need to do anything. If it wasn't, please choose a new password. That signs everyone else out.",
    ],
    facts: [
      { label: "When", value: at },
      { label: "Device", value: device },
    ],
    action: { label: "Choose a new password", path: "/forgot-password" },
  };
}

export function passkeyAddedContent({ firstName }: Named, at: string): MessageContent {
  return {
    subject: "A passkey was added to your account",
    preview: "If it was you, you don't need to do anything.",
    firstName,
    paragraphs: [
      "A passkey was added to your account. It lets you sign in without your password.",
      "If it was you, you don't need to do anything. If it wasn't, remove it on your passkeys page and choose a new password.",
    ],
    facts: [{ label: "When", value: at }],
    action: { label: "See my passkeys", path: "/passkeys" },
  };
}

/** The consultant typed the address and the name, and nobody has proven either, so it has no name. */
export function invitationContent(
  practiceName: string,
  { hasVisit, until }: { hasVisit: boolean; until: string },
): MessageContent {
  const visitWaits = hasVisit ? "A visit is already waiting for you there." : "";
  return {
    wording: { name: "invitation", values: { "visit waits": visitWaits, until } },
    subject: "Your invitation to open an account",
    preview: "One private place for your visits and papers.",
    paragraphs: [
      `${practiceName} invites you to open an account for your family. There you can see your visits, share papers in private, and tell us what we should know before we meet.`,
      ...(visitWaits ? [visitWaits] : []),
    ],
    action: { label: "Open my account", path: null },
    closing: [
      `The link works once, until ${until}. Please don't share it.`,
      "If you weren't expecting this, you can ignore this email. Nothing happens unless you press the button.",
    ],
  };
}
