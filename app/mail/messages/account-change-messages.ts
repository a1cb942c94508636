import type { MessageContent } from "../message-content.ts";
import {
  IF_IT_WAS_YOU_SENTENCE,
  PASSWORD_RESET_HELP_TEXT,
  SIGNED_IN_DEVICES_LINK,
} from "./consultant-security-messages.ts";

/** Changes in an account that affect who can sign in to it, see its visits or be called about it. */
export type AccountChange =
  | "second-step-on"
  | "second-step-off"
  | "recovery-codes-made"
  | "passkey-added"
  | "passkey-removed"
  | "calendar-link-made"
  | "phone-changed"
  | "wording-changed";

type AccountChangeText = { label: string; sentence: string; forConsultant?: string };

const ACCOUNT_CHANGE_TEXTS: Record<AccountChange, AccountChangeText> = {
  "second-step-on": {
    label: "Second step turned on",
    sentence:
      "The second step at sign-in was turned on: after the password, we now ask for a code from an authenticator app. Ten recovery codes were made with it.",
  },
  "second-step-off": {
    label: "Second step turned off",
    sentence: "The second step at sign-in was turned off: we no longer ask for a code from an authenticator app.",
  },
  "passkey-added": {
    label: "Passkey added",
    sentence:
      "A passkey was added to your account: a fingerprint, a face or a PIN that lets somebody sign in without your password.",
  },
  "recovery-codes-made": {
    label: "Recovery codes made",
    sentence: "Ten recovery codes were made. Each one can take the place of the second step once.",
  },
  "passkey-removed": {
    label: "Passkey removed",
    sentence: "A passkey was removed from your account. It no longer signs anyone in.",
  },
  "calendar-link-made": {
    label: "Calendar link made",
    sentence:
      "A calendar link was made for your account. Whoever has it can see when and where your visits are, without signing in.",
    forConsultant:
      "A calendar link was made for your account. Whoever has it can see all visits with the families' names, without signing in.",
  },
  "phone-changed": {
    label: "Phone number changed",
    sentence: "The phone number in your account was changed.",
  },
  "wording-changed": {
    label: "Wording of a message changed",
    sentence: "The wording of a message that goes to families was changed. The log of activity says of which one.",
  },
};

type Fact = NonNullable<MessageContent["facts"]>[number];

/** Builds one line of the message about changes. `at` is formatted for display. */
export function accountChangeFact(change: AccountChange, at: string): Fact {
  return { label: ACCOUNT_CHANGE_TEXTS[change].label, value: at };
}

/**
 * Builds the message to the account's address about one or several changes within a few minutes, each built by
 * `accountChangeFact`.
 */
export function accountChangedContent(
  { firstName, isAdmin }: { firstName: string; isAdmin: boolean },
  facts: Fact[],
  { addedAccessDays }: { addedAccessDays: number },
): MessageContent {
  const changes = Object.values(ACCOUNT_CHANGE_TEXTS).filter(({ label }) => facts.some((fact) => fact.label === label));
  const [first] = changes;
  const whatChanged = changes.map(({ sentence, forConsultant }) => (isAdmin && forConsultant) || sentence).join(" ");
  return {
    ...(!isAdmin && {
      wording: {
        name: "account-changed" as const,
        values: { "what changed": whatChanged, "if not you": IF_NOT_FAMILY_SENTENCES },
        hasListOfFacts: true as const,
      },
    }),
    subject: "Something was changed in your account",
    preview: `${changes.length === 1 && first ? first.label : "Several changes"}. ${IF_IT_WAS_YOU_SENTENCE}`,
    firstName,
    paragraphs: [whatChanged, ...(isAdmin ? consultantRecoverySteps(addedAccessDays) : [IF_NOT_FAMILY_SENTENCES])],
    facts,
    action: isAdmin ? SIGNED_IN_DEVICES_LINK : { label: "Choose a new password", path: "/forgot-password" },
    closing: [isAdmin ? PASSWORD_RESET_HELP_TEXT : FAMILY_CHECK_SETTINGS_TEXT],
  };
}

const IF_NOT_FAMILY_SENTENCES = `${IF_IT_WAS_YOU_SENTENCE} If it wasn't, choose a new password right away: we'll email you a link. It signs out every device and ends all passkeys, the calendar link, and an authenticator app that was added in the last week. Or call us.`;

const FAMILY_CHECK_SETTINGS_TEXT =
  "After that, open Settings and see if everything is as you left it. You can add again what you use.";

const consultantRecoverySteps = (days: number) => [
  `${IF_IT_WAS_YOU_SENTENCE} If it wasn't, do this right away, in this order:`,
  "1. Open Settings, and sign out every device you don't know.",
  `2. Change your password there. That ends the passkeys and the calendar link of the last ${days} days, unless you choose to keep what was added.`,
  "3. See if your second step, your passkeys and your phone number are as you left them.",
];
