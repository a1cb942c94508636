import type { MessageContent } from "../message-content.ts";

type NamedRecipient = { firstName: string };

export const IF_IT_WAS_YOU_SENTENCE = "If it was you, you don't need to do anything.";
export const SIGNED_IN_DEVICES_LINK = { label: "See signed-in devices", path: "/dashboard/settings/devices" };
/**
 * The consultant never receives a password link by email. A test compares the name of the section with
 * docs/operations.md.
 */
export const PASSWORD_RESET_HELP_TEXT =
  "Can't sign in? Call the person who runs this site for you: they can give you a new password right away. The operations guide says how, in the section Keys and passwords.";

/** Builds the message to the consultant that her own password was changed. `at` is formatted for display. */
export function consultantPasswordChangedContent({ firstName }: NamedRecipient, at: string): MessageContent {
  return {
    subject: "Your password was changed",
    preview: IF_IT_WAS_YOU_SENTENCE,
    firstName,
    paragraphs: [
      "The password for your account was changed. All your other devices are signed out.",
      `${IF_IT_WAS_YOU_SENTENCE} If it wasn't, somebody else can open your families' records. Do this right away, in this order:`,
      "1. Get a new password: call the person who runs this site for you. The operations guide says how, in the section Keys and passwords.",
      "2. Sign in with it, open Settings, and sign out every device you don't know.",
      "3. Remove every passkey you don't know.",
    ],
    facts: [{ label: "When", value: at }],
    action: SIGNED_IN_DEVICES_LINK,
  };
}

/** Builds the message to the consultant about a new device in her own account. `at` is formatted for display. */
export function consultantNewDeviceContent({ firstName }: NamedRecipient, at: string, device: string): MessageContent {
  return {
    subject: "New sign-in to your account",
    preview: IF_IT_WAS_YOU_SENTENCE,
    firstName,
    paragraphs: [
      "Someone signed in to your account on a device we haven't seen before.",
      `${IF_IT_WAS_YOU_SENTENCE} If it wasn't, open Settings: sign that device out, then change your password.`,
    ],
    facts: [
      { label: "When", value: at },
      { label: "Device", value: device },
    ],
    action: SIGNED_IN_DEVICES_LINK,
    closing: [PASSWORD_RESET_HELP_TEXT],
  };
}

/** Text of the message to the consultant's earlier address, which can undo the change: what to do, and for how long. */
export const CONSULTANT_EMAIL_CHANGED_TEXTS = {
  whatToDo: `${IF_IT_WAS_YOU_SENTENCE} If it wasn't, press the button: your account gets this address back, and everyone is signed out. Then sign in and change your password in Settings.`,
  howLong: `The link works once, for seven days. ${PASSWORD_RESET_HELP_TEXT}`,
};
