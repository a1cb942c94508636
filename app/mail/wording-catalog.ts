import type { MessageContent } from "./message-content.ts";
import * as accounts from "./messages/account-messages.ts";
import { accountChangedContent, accountChangeFact } from "./messages/account-change-messages.ts";
import * as addresses from "./messages/email-change-messages.ts";
import {
  erasureCanceledContent,
  erasureRequestedContent,
  erasureScheduledContent,
} from "./messages/erasure-messages.ts";
import { consentWithdrawnContent } from "./messages/consent-messages.ts";
import { documentAddedContent } from "./messages/document-messages.ts";
import { followUpDueContent, followUpsSharedContent } from "./messages/follow-up-messages.ts";
import { paymentRefundedContent, receiptReadyContent, receiptVoidedContent } from "./messages/receipt-messages.ts";
import { requestReceivedContent } from "./messages/request-messages.ts";
import * as visits from "./messages/visit-messages.ts";
import type { WordingName } from "../wording-names.ts";

export type WordingSample = {
  /** Title in the list of messages. */
  title: string;
  /** When the message is sent, for the list. */
  when: string;
  content: MessageContent;
  /** Placeholders that every wording must contain, in addition to the link of a message that is useless without it. */
  required?: string[];
};

const WHEN = "Mon, Dec 7, 2026 at 10:00 AM ET";
const NAMED = { firstName: "Maria" };
const VISIT = {
  ...NAMED,
  when: WHEN,
  length: "60 minutes",
  where: "Video visit",
  exactPlace: null,
  path: "/appointments/12/booked",
  moveAndCancellationTerms:
    "Move or cancel it at no cost until Sun, Dec 6, 2026 at 10:00 AM ET. If you cancel it after that, there is a 50% fee, and $37.50 goes back to your card.",
};

const REMINDED =
  "Moving or canceling it was free until Sun, Dec 6, 2026 at 10:00 AM ET. To move it after that, please call us. If you cancel it after that, there is a 50% fee, and $37.50 goes back to your card.";

/** Builds a sample of each message, used for its default wording and for the preview. */
export function wordingSamples({ name, phone }: { name: string; phone: string }): Record<WordingName, WordingSample> {
  return {
    "account-made": { title: "Welcome", when: "An account was made", content: accounts.accountCreatedContent(name) },
    "confirm-email": {
      title: "Confirm the address",
      when: "A family asked for the confirmation link again",
      content: accounts.confirmEmailContent(),
    },
    invitation: {
      title: "Invitation",
      when: "You invite a family",
      content: accounts.invitationContent(name, { hasVisit: true, until: "Mon, Dec 21, 2026 at 10:00 AM ET" }),
      required: ["visit waits"],
    },
    "visit-booked": { title: "Visit booked", when: "A visit is booked", content: visits.visitBookedContent(VISIT) },
    "visit-moved": {
      title: "Visit moved",
      when: "The time, the length or the place of a visit was changed; {who moved it} and {what changed} say which",
      content: visits.visitMovedContent(VISIT, {
        before: { when: "Fri, Dec 4, 2026 at 3:00 PM ET", length: null },
        by: "family",
      }),
      required: ["who moved it"],
    },
    "visit-cancelled": {
      title: "Visit canceled",
      when: "A visit is canceled; {refund} says what goes back",
      content: visits.visitCanceledContent(VISIT, "You haven't paid yet, so there's nothing to refund.", "family"),
      required: ["refund"],
    },
    "visit-not-booked": {
      title: "Visit not booked",
      when: "A family left the card payment, or paid when the time was taken; {what happened} says which",
      content: visits.visitNotBookedContent("Maria", { when: WHEN, amount: null }),
      required: ["what happened"],
    },
    "payment-returned": {
      title: "Payment goes back",
      when: "A family paid on a page that it had left; {what goes back} says how much",
      content: paymentRefundedContent("Maria", { when: WHEN, amount: "$75" }),
      required: ["what goes back"],
    },
    "visit-reminder-24h": {
      title: "Reminder, a day before",
      when: "24 hours before a visit",
      content: visits.dayReminderContent(
        { ...VISIT, moveAndCancellationTerms: REMINDED },
        { path: "/appointments/12/questions", isAnswered: false },
      ),
    },
    "visit-reminder-1h": {
      title: "Reminder, an hour before",
      when: "One hour before a visit",
      content: visits.hourReminderContent({ ...VISIT, path: "/video-call/12" }, true),
    },
    "waiting-list-offer": {
      title: "A time has opened",
      when: "A time opens up on a day that a family is waiting for",
      content: visits.waitingListOfferContent("Maria", {
        when: WHEN,
        length: "60 minutes",
        until: "Thu, Dec 3, 2026 at 2:15 PM ET",
        path: "/appointments/waiting-list",
      }),
    },
    "request-received": {
      title: "Request received",
      when: "Someone asks for a consultation",
      content: requestReceivedContent(phone, { hasAccount: false }),
    },
    "document-added": {
      title: "New document",
      when: "You share a document",
      content: documentAddedContent("Maria", { isFromFamily: false }),
    },
    "follow-ups-shared": {
      title: "Next steps after a visit",
      when: "You finish a visit and share follow-ups; it doesn’t say what they are",
      content: followUpsSharedContent("Maria", { count: 2, firstDay: "Friday, December 11, 2026" }),
    },
    "follow-up-due": {
      title: "Follow-up due",
      when: "The day of a follow-up that you shared; it doesn’t say what is due",
      content: followUpDueContent("Maria", "Monday, December 7, 2026"),
    },
    receipt: {
      title: "Receipt",
      when: "A payment was recorded",
      content: receiptReadyContent("Maria", {
        path: "/receipts/12",
        paidFor: "Hourly Consulting, Tue, Dec 8, 2026",
        paidBy: "Maria Alvarez, by card",
        amount: "$75.00",
        paidAt: "Mon, Dec 7, 2026",
      }),
    },
    "receipt-voided": {
      title: "Receipt not valid",
      when: "You take back a payment that you had recorded",
      content: receiptVoidedContent("Maria", { paidFor: "Hourly Consulting, Tue, Dec 8, 2026", amount: "$75.00" }),
    },
    "password-reset": {
      title: "New password",
      when: "Someone forgot their password",
      content: accounts.passwordResetContent(NAMED),
    },
    "password-changed": {
      title: "Password changed",
      when: "The password was changed",
      content: accounts.passwordChangedContent(NAMED, WHEN),
    },
    "new-device": {
      title: "New sign-in",
      when: "Someone signs in on a new device",
      content: accounts.newDeviceContent(NAMED, WHEN, "Safari on an iPhone"),
    },
    "account-changed": {
      title: "Something changed",
      when: "A second step, a passkey, a calendar link or the phone number was changed; {what changed} says which",
      content: accountChangedContent({ ...NAMED, isAdmin: false }, [accountChangeFact("passkey-added", WHEN)], {
        addedAccessDays: 30,
      }),
      required: ["what changed", "if not you"],
    },
    "email-change-requested": {
      title: "New address, to confirm",
      when: "Someone wants another address for their account; goes to that address",
      content: addresses.emailChangeRequestedContent(),
    },
    "email-changed": {
      title: "Address changed",
      when: "The address was changed; goes to the old one",
      content: addresses.emailChangedContent(NAMED, { at: WHEN, phone: phone, canUndo: true, isConsultant: false }),
      required: ["what to do"],
    },
    "consent-withdrawn": {
      title: "Agreement ended",
      when: "You end an agreement that a family took back in a visit or on the phone",
      content: consentWithdrawnContent(NAMED, { title: "Recording a visit", at: WHEN, phone }),
    },
    "erasure-requested": {
      title: "Account to be deleted",
      when: "A family asked to delete their account",
      content: erasureRequestedContent(NAMED, "Mon, Dec 21, 2026 at 10:00 AM ET", phone),
    },
    "erasure-scheduled": {
      title: "Account to be deleted, by you",
      when: "You schedule the deletion of a family’s account; {how to keep it} says until when they can keep it",
      content: erasureScheduledContent({ ...NAMED, isClosed: false }, "Mon, Dec 21, 2026 at 10:00 AM ET", phone),
      required: ["how to keep it"],
    },
    "erasure-withdrawn": {
      title: "Account kept",
      when: "A family keeps their account, which was to be deleted",
      content: erasureCanceledContent(NAMED, WHEN, phone),
    },
  };
}
