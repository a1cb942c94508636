import type { MessageContent } from "../message-content.ts";
import { CONSULTANT_EMAIL_CHANGED_TEXTS } from "./consultant-security-messages.ts";

/** Builds the message to the new address. The address is not confirmed, so the message contains no personal data. */
export function emailChangeRequestedContent(): MessageContent {
  return {
    wording: { name: "email-change-requested" },
    subject: "Please confirm your new email address",
    preview: "The link works once, for one hour.",
    paragraphs: [
      "Someone, most likely you, asked us to use this address for an account with us. Please confirm that it is yours. Nothing changes until you do.",
    ],
    action: { label: "Confirm my new address", path: null },
    closing: [
      "The link works once, for one hour. We may ask you to sign in first.",
      "If this wasn't you, you can ignore this email. Nothing happens unless you press the button.",
    ],
  };
}

function familyEmailChangedTexts(phone: string, canUndo: boolean) {
  return canUndo
    ? {
        whatToDo:
          "If it was you, you don't need to do anything. If it wasn't, press the button: your account gets this address back, everyone is signed out, and you choose a new password.",
        howLong: `The link works once, for seven days. You can also call us at ${phone}.`,
      }
    : {
        whatToDo: `If it was you, you don't need to do anything. If it wasn't, please call us right away at ${phone}. Never had an account with us? Then someone typed this address by mistake, and you can ignore this email.`,
        howLong: "",
      };
}

type EmailChangeDetails = { at: string; phone: string; canUndo: boolean; isConsultant: boolean };

/**
 * Builds the message to the earlier address. Other people may be able to read that mailbox by now, so it does not
 * contain the new address.
 */
export function emailChangedContent(
  { firstName }: { firstName: string },
  { at, phone, canUndo, isConsultant }: EmailChangeDetails,
): MessageContent {
  const { whatToDo, howLong } = isConsultant ? CONSULTANT_EMAIL_CHANGED_TEXTS : familyEmailChangedTexts(phone, canUndo);
  return {
    wording: { name: "email-changed", values: { "what to do": whatToDo, "how long": howLong } },
    subject: "Your email address was changed",
    preview: "If it was you, you don't need to do anything.",
    firstName,
    paragraphs: [
      "The email address of your account was changed. From now on, you sign in with the new one, and our messages go there.",
      whatToDo,
    ],
    facts: [{ label: "When", value: at }],
    ...(canUndo && {
      action: { label: "This wasn't me", path: null },
      closing: [howLong],
    }),
  };
}

/** Builds the message to the address that an account no longer has because the change to it was undone. */
export function emailChangeUndoneContent(): MessageContent {
  return {
    subject: "This address is no longer used",
    preview: "The account has its earlier address back.",
    paragraphs: [
      "An account with us used this email address for a short time. It has its earlier address back now. We won't send anything more about that account here. Is the account yours, and you want it to use this address? Please call us.",
    ],
  };
}

/** Builds the message to an address whose link to take back a change was ended. Its mailbox may have another reader by now. */
export function undoLinkEndedContent(phone: string): MessageContent {
  return {
    subject: "The link in our last email no longer works",
    preview: "It could take back a change of the email address.",
    paragraphs: [
      "An account with us used this email address until lately. The link in our message about the change, which takes it back, was ended and no longer works.",
      `If you asked for that, you don't need to do anything. If the account is yours and you didn't ask for it, please call us right away at ${phone}.`,
    ],
  };
}
