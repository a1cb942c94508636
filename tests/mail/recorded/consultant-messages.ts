import * as accountChanges from "../../../app/mail/messages/account-change-messages.ts";
import * as addresses from "../../../app/mail/messages/email-change-messages.ts";
import * as consents from "../../../app/mail/messages/consent-withdrawal-messages.ts";
import * as erasures from "../../../app/mail/messages/erasure-messages.ts";
import * as ownMessages from "../../../app/mail/messages/consultant-security-messages.ts";
import * as documents from "../../../app/mail/messages/document-messages.ts";
import * as legal from "../../../app/mail/messages/legal-request-messages.ts";
import * as requests from "../../../app/mail/messages/consultation-request-messages.ts";
import * as visitChanges from "../../../app/mail/messages/consultant-visit-messages.ts";
import { ADDED, PRACTICE, type SampleMessage, WHEN } from "./sample-practice.ts";

const CHANGED = { when: WHEN, previousStart: null, path: "/dashboard/appointments/12" };
const MOVED = { ...CHANGED, change: "moved", previousStart: "Fri, Dec 4, 2026 at 3:00 PM ET" } as const;

/** What the consultant gets, who is called Dana. */
export const CONSULTANT_MESSAGES: SampleMessage[] = [
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
    event: "account-changed",
    title: "To the consultant: something changed",
    content: accountChanges.accountChangedContent(
      { firstName: "Dana", isAdmin: true },
      [
        accountChanges.accountChangeFact("passkey-added", WHEN),
        accountChanges.accountChangeFact("recovery-codes-made", WHEN),
      ],
      ADDED,
    ),
  },
  {
    event: "account-changed",
    title: "To the consultant: calendar link made",
    content: accountChanges.accountChangedContent(
      { firstName: "Dana", isAdmin: true },
      [accountChanges.accountChangeFact("calendar-link-made", WHEN)],
      ADDED,
    ),
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
    content: visitChanges.visitChangedForConsultantContent("Dana", { ...CHANGED, change: "booked" }),
  },
  {
    event: "visits-changed",
    title: "To the consultant: visit booked, at a place of the family's",
    content: visitChanges.visitChangedForConsultantContent("Dana", { ...CHANGED, change: "booked", hasOwnPlace: true }),
  },
  {
    event: "visits-changed",
    title: "To the consultant: visit moved",
    content: visitChanges.visitChangedForConsultantContent("Dana", MOVED),
  },
  {
    event: "visits-changed",
    title: "To the consultant: visit canceled",
    content: visitChanges.visitChangedForConsultantContent("Dana", { ...CHANGED, change: "canceled" }),
  },
  {
    event: "visits-changed",
    title: "To the consultant: payment failed",
    content: visitChanges.visitChangedForConsultantContent("Dana", { ...CHANGED, change: "payment-failed" }),
  },
  {
    event: "visits-changed",
    title: "To the consultant: several visits changed",
    content: visitChanges.visitsChangedForConsultantContent("Dana", 3, [
      visitChanges.visitChangeFact(MOVED),
      visitChanges.visitChangeFact({ ...CHANGED, when: "Thu, Dec 10, 2026 at 1:00 PM ET", change: "canceled" }),
    ]),
  },
  {
    event: "new-request",
    title: "To the consultant: new request",
    content: requests.newConsultationRequestContent("Dana", 7, { isUrgent: false, answerBy: WHEN }),
  },
  {
    event: "new-request",
    title: "To the consultant: urgent request",
    content: requests.newConsultationRequestContent("Dana", 8, { isUrgent: true, answerBy: WHEN }),
  },
  {
    event: "new-request",
    title: "To the consultant: more requests than are mailed",
    content: requests.moreVisitorRequestsContent("Dana", { isUrgent: false }),
  },
  {
    event: "new-request",
    title: "To the consultant: more urgent requests than are mailed",
    content: requests.moreVisitorRequestsContent("Dana", { isUrgent: true }),
  },
  {
    event: "family-leaves",
    title: "To the consultant: account to be deleted",
    content: erasures.erasureRequestedForConsultantContent("Dana", 3, {
      date: "Mon, Dec 21, 2026 at 10:00 AM ET",
      unconfirmedRequests: 0,
    }),
  },
  {
    event: "family-leaves",
    title: "To the consultant: account to be deleted, as she scheduled",
    content: erasures.erasureRequestedForConsultantContent("Dana", 3, {
      date: "Mon, Dec 21, 2026 at 10:00 AM ET",
      unconfirmedRequests: 1,
      isByPractice: true,
    }),
  },
  {
    event: "family-stays",
    title: "To the consultant: account kept",
    content: erasures.erasureCanceledForConsultantContent("Dana", 3, { wasByPractice: false }),
  },
  {
    event: "family-stays",
    title: "To the consultant: account kept, whose deletion she had scheduled",
    content: erasures.erasureCanceledForConsultantContent("Dana", 3, { wasByPractice: true }),
  },
  {
    event: "consent-withdrawn",
    title: "To the consultant: agreement withdrawn",
    content: consents.consentWithdrawnForConsultantContent("Dana", 3),
  },
  {
    event: "new-legal-request",
    title: "To the consultant: privacy request",
    content: legal.newLegalRequestContent("Dana", { id: 5, kind: "Privacy request", dueDay: "2026-12-21" }),
  },
];
