import * as accounts from "../../../app/mail/messages/account-messages.ts";
import * as addresses from "../../../app/mail/messages/email-change-messages.ts";
import * as consents from "../../../app/mail/messages/consent-messages.ts";
import * as erasures from "../../../app/mail/messages/erasure-messages.ts";
import * as ownMessages from "../../../app/mail/messages/consultant-account-messages.ts";
import * as documents from "../../../app/mail/messages/document-messages.ts";
import * as followUps from "../../../app/mail/messages/follow-up-messages.ts";
import * as receipts from "../../../app/mail/messages/receipt-messages.ts";
import * as legal from "../../../app/mail/messages/legal-request-messages.ts";
import * as requests from "../../../app/mail/messages/request-messages.ts";
import * as visitChanges from "../../../app/mail/messages/visit-change-messages.ts";
import * as visits from "../../../app/mail/messages/visit-messages.ts";
import type { MessageContent } from "../../../app/mail/content.ts";
import type { MailEvent } from "../../../app/mail/events.ts";
import { wordingSamples } from "../../../app/mail/wording-catalog.ts";
import { WORDING_NAMES } from "../../../app/mail/wording-names.ts";

export type SampleMessage = { event: MailEvent; title: string; content: MessageContent };

const { CONSULTANT_EMAIL_CHANGED: _, ...ownComposers } = ownMessages;
const { visitChangeFact, ...visitChangeComposers } = visitChanges;

/** Every function that composes a message, by its name. */
export const COMPOSERS = {
  ...ownComposers,
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

export const PRACTICE = { name: "Harbor Family Advocacy", phone: "(732) 555-0142", email: "hello@example.com" };
export const ORIGIN = "https://www.example.com";

const WHEN = "Mon, Dec 7, 2026 at 10:00 AM ET";
const SOON = {
  firstName: "Maria",
  when: WHEN,
  length: "90 minutes",
  where: "In person, Long Branch, NJ area",
  exactPlace: "We'll agree on it with you. If you don't know it yet, please call us at (732) 555-0142.",
  path: "/appointments/12/booked",
  changeTerms:
    "It starts in less than 24 hours. To move it, please call us. If you cancel it, our terms ask for a 50% fee ($37.50). Nothing is charged online: your consultant will talk with you about it. Is it an emergency? Please call us before you cancel.",
};

const CHANGED = { when: WHEN, before: null, path: "/dashboard/appointments/12" };
const MOVED = { ...CHANGED, change: "moved", before: "Fri, Dec 4, 2026 at 3:00 PM ET" } as const;

/** What the consultant gets, and what some families get in place of the sample that she can edit. */
const OTHERS: SampleMessage[] = [
  { event: "visit-booked", title: "Visit booked, less than a day ahead", content: visits.visitBookedContent(SOON) },
  {
    event: "visit-cancelled",
    title: "Visit canceled, paid by card",
    content: visits.visitCancelledContent(
      SOON,
      "$75 goes back to the card you paid with. Banks take up to 10 business days.",
      "practice",
    ),
  },
  {
    event: "visit-moved",
    title: "Visit moved by the practice",
    content: visits.visitMovedContent(SOON, { before: "Fri, Dec 4, 2026 at 3:00 PM ET", by: "practice" }),
  },
  {
    event: "visit-reminder-1h",
    title: "Reminder, an hour before, in person",
    content: visits.hourReminderContent(
      { ...SOON, exactPlace: "Where you agreed with your consultant. Not sure? Please call (732) 555-0142 now." },
      false,
    ),
  },
  {
    event: "request-received",
    title: "Request received, urgent, with an account",
    content: requests.requestReceivedContent(PRACTICE.phone, { hasAccount: true, isUrgent: true }),
  },
  {
    event: "invitation",
    title: "Invitation without a visit",
    content: accounts.invitationContent(PRACTICE.name, { hasVisit: false, until: "Mon, Dec 21, 2026" }),
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
  { event: "passkey-added", title: "Passkey added", content: accounts.passkeyAddedContent(SOON, WHEN) },
  {
    event: "new-device",
    title: "To the consultant: new sign-in",
    content: ownMessages.consultantNewDeviceContent({ firstName: "Dana" }, WHEN, "Safari on an iPhone"),
  },
  {
    event: "password-changed",
    title: "To the consultant: password changed",
    content: ownMessages.consultantPasswordChangedContent({ firstName: "Dana" }, WHEN),
  },
  {
    event: "passkey-added",
    title: "To the consultant: passkey added",
    content: ownMessages.consultantPasskeyAddedContent({ firstName: "Dana" }, WHEN),
  },
  {
    event: "email-changed",
    title: "To the consultant: address changed",
    content: addresses.emailChangedContent(
      { firstName: "Dana" },
      { at: WHEN, phone: PRACTICE.phone, canUndo: true, isConsultant: true },
    ),
  },
  {
    event: "document-added",
    title: "To the consultant: new document",
    content: documents.documentAddedContent("Dana", { isFromFamily: true }),
  },
  {
    event: "visits-changed",
    title: "To the consultant: visit booked",
    content: visitChanges.visitChangedContent("Dana", { ...CHANGED, change: "booked" }),
  },
  {
    event: "visits-changed",
    title: "To the consultant: visit moved",
    content: visitChanges.visitChangedContent("Dana", MOVED),
  },
  {
    event: "visits-changed",
    title: "To the consultant: visit canceled",
    content: visitChanges.visitChangedContent("Dana", { ...CHANGED, change: "canceled" }),
  },
  {
    event: "visits-changed",
    title: "To the consultant: payment failed",
    content: visitChanges.visitChangedContent("Dana", { ...CHANGED, change: "payment-failed" }),
  },
  {
    event: "visits-changed",
    title: "To the consultant: several visits changed",
    content: visitChanges.visitsChangedContent("Dana", 3, [
      visitChangeFact(MOVED),
      visitChangeFact({ ...CHANGED, when: "Thu, Dec 10, 2026 at 1:00 PM ET", change: "canceled" }),
    ]),
  },
  {
    event: "new-request",
    title: "To the consultant: new request",
    content: requests.newRequestContent(7, { isUrgent: false, answerBy: WHEN }),
  },
  {
    event: "new-request",
    title: "To the consultant: urgent request",
    content: requests.newRequestContent(8, { isUrgent: true, answerBy: WHEN }),
  },
  {
    event: "new-request",
    title: "To the consultant: more requests than are mailed",
    content: requests.moreFromVisitorsContent({ isUrgent: false }),
  },
  {
    event: "new-request",
    title: "To the consultant: more urgent requests than are mailed",
    content: requests.moreFromVisitorsContent({ isUrgent: true }),
  },
  {
    event: "family-leaves",
    title: "To the consultant: account to be deleted",
    content: erasures.erasureRequestedForConsultantContent(3, "Mon, Dec 21, 2026 at 10:00 AM ET"),
  },
  {
    event: "consent-withdrawn",
    title: "To the consultant: agreement withdrawn",
    content: consents.consentWithdrawnContent(3),
  },
  {
    event: "new-legal-request",
    title: "To the consultant: privacy request",
    content: legal.newLegalRequestContent(5, "Privacy request", "2026-12-21"),
  },
];

/** Every message in the default words, with made-up people: first those to families, in the order of the settings. */
export function everyMessage(): SampleMessage[] {
  const samples = wordingSamples(PRACTICE);
  const editable = WORDING_NAMES.map((name) => ({
    event: name,
    title: samples[name].title,
    content: samples[name].content,
  }));
  return [...editable, ...OTHERS];
}
