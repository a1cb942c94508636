import * as accountChanges from "../../../app/mail/messages/account-change-messages.ts";
import * as accounts from "../../../app/mail/messages/account-messages.ts";
import * as addresses from "../../../app/mail/messages/email-change-messages.ts";
import * as consents from "../../../app/mail/messages/consent-withdrawal-messages.ts";
import * as erasures from "../../../app/mail/messages/erasure-messages.ts";
import * as ownMessages from "../../../app/mail/messages/consultant-security-messages.ts";
import * as documents from "../../../app/mail/messages/document-messages.ts";
import * as followUps from "../../../app/mail/messages/follow-up-messages.ts";
import * as receipts from "../../../app/mail/messages/receipt-messages.ts";
import * as legal from "../../../app/mail/messages/legal-request-messages.ts";
import * as requests from "../../../app/mail/messages/consultation-request-messages.ts";
import * as visitChanges from "../../../app/mail/messages/consultant-visit-messages.ts";
import * as visits from "../../../app/mail/messages/visit-messages.ts";
import type { MessageContent } from "../../../app/mail/message-content.ts";
import { buildWordingSamples } from "../../../app/mail/wording-samples.ts";
import { WORDING_NAMES } from "../../../app/wording-names.ts";
import { CONSULTANT_MESSAGES } from "./consultant-messages.ts";
import { VISIT_MESSAGES } from "./visit-messages.ts";
import { ADDED, PRACTICE, type SampleMessage, WHEN } from "./sample-practice.ts";

const {
  CONSULTANT_EMAIL_CHANGED_TEXTS: _1,
  IF_IT_WAS_YOU_SENTENCE: _2,
  PASSWORD_RESET_HELP_TEXT: _3,
  SIGNED_IN_DEVICES_LINK: _4,
  ...ownComposers
} = ownMessages;
const { accountChangeFact, ...accountChangeComposers } = accountChanges;
const { visitChangeFact: _5, ...visitChangeComposers } = visitChanges;

/** Every function that composes a message, by its name. */
export const COMPOSERS = {
  ...ownComposers,
  ...accountChangeComposers,
  ...accounts,
  ...addresses,
  ...consents,
  ...documents,
  ...erasures,
  ...followUps,
  ...legal,
  ...receipts,
  ...requests,
  ...visitChangeComposers,
  ...visits,
};

/** Nobody has shown that the address is the account's. */
const UNCONFIRMED = { firstName: "", isConfirmed: false, isAdmin: false };
const NAMED = { firstName: "Maria" };
const DELETED_ON = "Mon, Dec 21, 2026 at 10:00 AM ET";
const toStranger = (content: MessageContent) => ({ ...content, mayReachStranger: true as const });

/** The events of messages whose wording has a name of its own. */
const EVENTS = { "receipt-voided": "receipt", "erasure-scheduled": "erasure-requested" } as const;

/** What some families get in place of the sample that the consultant can edit. */
const OTHERS: SampleMessage[] = [
  ...VISIT_MESSAGES,
  {
    event: "request-received",
    title: "Request received, urgent, with an account",
    content: requests.consultationRequestReceivedContent(PRACTICE.phone, { hasAccount: true, isUrgent: true }),
  },
  {
    event: "invitation",
    title: "Invitation without a visit",
    content: accounts.invitationContent(PRACTICE.name, { hasVisit: false, until: "Mon, Dec 21, 2026 at 10:00 AM ET" }),
  },
  {
    event: "email-changed",
    title: "Address changed, never confirmed",
    content: addresses.emailChangedContent(
      { firstName: "" },
      { at: WHEN, phone: PRACTICE.phone, canUndo: false, isConsultant: false },
    ),
  },
  { event: "email-changed", title: "Change of address taken back", content: addresses.emailChangeUndoneContent() },
  {
    event: "email-changed",
    title: "Link to the earlier address ended",
    content: addresses.undoLinkEndedContent(PRACTICE.phone),
  },
  {
    event: "consent-withdrawn",
    title: "Agreement ended, of a closed account",
    content: consents.consentWithdrawnContent(
      { ...NAMED, isClosed: true },
      { title: "Release of records", at: WHEN, phone: PRACTICE.phone },
    ),
  },
  {
    event: "erasure-requested",
    title: "Account to be deleted, while it is closed",
    content: erasures.erasureScheduledContent({ ...NAMED, isClosed: true }, DELETED_ON, PRACTICE.phone),
  },
  {
    event: "erasure-requested",
    title: "Account to be deleted, to its earlier address",
    content: erasures.erasureRequestedForPreviousAddressContent(DELETED_ON, PRACTICE.phone, { isByPractice: false }),
  },
  {
    event: "erasure-requested",
    title: "Account to be deleted, scheduled by the consultant, to its earlier address",
    content: erasures.erasureRequestedForPreviousAddressContent(DELETED_ON, PRACTICE.phone, { isByPractice: true }),
  },
  {
    event: "password-changed",
    title: "Password changed, of an account to be deleted",
    content: erasures.addPendingErasureNotice(accounts.passwordChangedContent(NAMED, WHEN), DELETED_ON, {
      isByPractice: false,
    }),
  },
  {
    event: "password-changed",
    title: "Password changed, of an account to be deleted, as the consultant has scheduled",
    content: erasures.addPendingErasureNotice(accounts.passwordChangedContent(NAMED, WHEN), DELETED_ON, {
      isByPractice: true,
    }),
  },
  {
    event: "erasure-withdrawn",
    title: "Account kept, by the consultant",
    content: erasures.erasureCanceledContent(NAMED, WHEN, PRACTICE.phone, "practice"),
  },
  {
    event: "erasure-withdrawn",
    title: "Account kept, while it is closed",
    content: erasures.erasureCanceledContent({ ...NAMED, isClosed: true }, WHEN, PRACTICE.phone, "practice"),
  },
  {
    event: "erasure-withdrawn",
    title: "Account kept, with the undo of a change of address",
    content: erasures.erasureCanceledContent(NAMED, WHEN, PRACTICE.phone, "undo"),
  },
  {
    event: "account-changed",
    title: "Something changed, several within minutes",
    content: toStranger(
      accountChanges.accountChangedContent(
        UNCONFIRMED,
        [accountChangeFact("second-step-off", WHEN), accountChangeFact("phone-changed", WHEN)],
        ADDED,
      ),
    ),
  },
  {
    event: "receipt",
    title: "Receipt, to an address that is not confirmed",
    content: toStranger(
      receipts.receiptReadyContent("", {
        path: "/receipts/13",
        paidFor: "Tue, Dec 8, 2026",
        paidBy: "cash",
        amount: "$75.00",
        paidAt: "Tue, Dec 8, 2026",
      }),
    ),
  },
];

/** Every message in the default words, with made-up people: first those to families, in the order of the settings. */
export function everyMessage(): SampleMessage[] {
  const samples = buildWordingSamples(PRACTICE);
  const editable = WORDING_NAMES.map((name) => ({
    event: isOwnName(name) ? EVENTS[name] : name,
    title: samples[name].title,
    content: samples[name].content,
  }));
  return [...editable, ...OTHERS, ...CONSULTANT_MESSAGES];
}

function isOwnName(name: string): name is keyof typeof EVENTS {
  return Object.hasOwn(EVENTS, name);
}
