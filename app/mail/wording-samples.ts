import type { MessageContent } from "./message-content.ts";
import * as accounts from "./messages/account-messages.ts";
import { accountChangedContent, accountChangeFact } from "./messages/account-change-messages.ts";
import * as addresses from "./messages/email-change-messages.ts";
import {
  erasureCanceledContent,
  erasureRequestedContent,
  erasureScheduledContent,
} from "./messages/erasure-messages.ts";
import { consentWithdrawnContent } from "./messages/consent-withdrawal-messages.ts";
import { documentAddedContent } from "./messages/document-messages.ts";
import { followUpDueContent, followUpsSharedContent } from "./messages/follow-up-messages.ts";
import {
  abandonedPaymentRefundedContent,
  receiptReadyContent,
  receiptVoidedContent,
} from "./messages/receipt-messages.ts";
import { consultationRequestReceivedContent } from "./messages/consultation-request-messages.ts";
import * as visits from "./messages/visit-messages.ts";
import type { WordingName } from "../wording-names.ts";

export type WordingSample = {
  /** Title in the list of messages. */
  title: string;
  /** When the message is sent, for the list. */
  triggerDescription: string;
  content: MessageContent;
  /** Placeholders that every wording must contain, in addition to the link of a message that is useless without it. */
  required?: string[];
};

const SAMPLE_TIME = "Mon, Dec 7, 2026 at 10:00 AM ET";
const SAMPLE_RECIPIENT = { firstName: "Maria" };
const SAMPLE_VISIT = {
  ...SAMPLE_RECIPIENT,
  when: SAMPLE_TIME,
  length: "60 minutes",
  where: "Video visit",
  exactPlace: null,
  path: "/appointments/12/booked",
  moveAndCancellationTerms:
    "Move or cancel it at no cost until Sun, Dec 6, 2026 at 10:00 AM ET. If you cancel it after that, there is a 50% fee, and $37.50 goes back to your card.",
};

const SAMPLE_REMINDER_TERMS =
  "Moving or canceling it was free until Sun, Dec 6, 2026 at 10:00 AM ET. To move it after that, please call us. If you cancel it after that, there is a 50% fee, and $37.50 goes back to your card.";

/** Builds a sample of each message, used for its default wording and for the preview. */
export function buildWordingSamples({
  name,
  phone,
}: {
  name: string;
  phone: string;
}): Record<WordingName, WordingSample> {
  return {
    "account-made": {
      title: "Welcome",
      triggerDescription: "An account was made",
      content: accounts.accountCreatedContent(name),
    },
    "confirm-email": {
      title: "Confirm the address",
      triggerDescription: "A family asked for the confirmation link again",
      content: accounts.confirmEmailContent(),
    },
    invitation: {
      title: "Invitation",
      triggerDescription: "You invite a family",
      content: accounts.invitationContent(name, { hasVisit: true, until: "Mon, Dec 21, 2026 at 10:00 AM ET" }),
      required: ["visit waits"],
    },
    "visit-booked": {
      title: "Visit booked",
      triggerDescription: "A visit is booked",
      content: visits.visitBookedContent(SAMPLE_VISIT),
    },
    "visit-moved": {
      title: "Visit moved",
      triggerDescription:
        "The time, the length or the place of a visit was changed; {who moved it} and {what changed} say which",
      content: visits.visitMovedContent(SAMPLE_VISIT, {
        previous: { when: "Fri, Dec 4, 2026 at 3:00 PM ET", length: null },
        by: "family",
      }),
      required: ["who moved it"],
    },
    "visit-cancelled": {
      title: "Visit canceled",
      triggerDescription: "A visit is canceled; {refund} says what goes back",
      content: visits.visitCanceledContent(
        SAMPLE_VISIT,
        "You haven't paid yet, so there's nothing to refund.",
        "family",
      ),
      required: ["refund"],
    },
    "visit-not-booked": {
      title: "Visit not booked",
      triggerDescription: "A family left the card payment, or paid when the time was taken; {what happened} says which",
      content: visits.visitNotBookedContent("Maria", { when: SAMPLE_TIME, amount: null }),
      required: ["what happened"],
    },
    "payment-returned": {
      title: "Payment goes back",
      triggerDescription: "A family paid on a page that it had left; {what goes back} says how much",
      content: abandonedPaymentRefundedContent("Maria", { when: SAMPLE_TIME, amount: "$75" }),
      required: ["what goes back"],
    },
    "visit-reminder-24h": {
      title: "Reminder, a day before",
      triggerDescription: "24 hours before a visit",
      content: visits.dayReminderContent(
        { ...SAMPLE_VISIT, moveAndCancellationTerms: SAMPLE_REMINDER_TERMS },
        { path: "/appointments/12/questions", isAnswered: false },
      ),
    },
    "visit-reminder-1h": {
      title: "Reminder, an hour before",
      triggerDescription: "One hour before a visit",
      content: visits.hourReminderContent({ ...SAMPLE_VISIT, path: "/video-call/12" }, true),
    },
    "waiting-list-offer": {
      title: "A time has opened",
      triggerDescription: "A time opens up on a day that a family is waiting for",
      content: visits.waitingListOfferContent("Maria", {
        when: SAMPLE_TIME,
        length: "60 minutes",
        until: "Thu, Dec 3, 2026 at 2:15 PM ET",
        path: "/appointments/waiting-list",
      }),
    },
    "request-received": {
      title: "Request received",
      triggerDescription: "Someone asks for a consultation",
      content: consultationRequestReceivedContent(phone, { hasAccount: false }),
    },
    "document-added": {
      title: "New document",
      triggerDescription: "You share a document",
      content: documentAddedContent("Maria", { isFromFamily: false }),
    },
    "follow-ups-shared": {
      title: "Next steps after a visit",
      triggerDescription: "You finish a visit and share follow-ups; it doesn’t say what they are",
      content: followUpsSharedContent("Maria", { count: 2, firstDay: "Friday, December 11, 2026" }),
    },
    "follow-up-due": {
      title: "Follow-up due",
      triggerDescription: "The day of a follow-up that you shared; it doesn’t say what is due",
      content: followUpDueContent("Maria", "Monday, December 7, 2026"),
    },
    receipt: {
      title: "Receipt",
      triggerDescription: "A payment was recorded",
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
      triggerDescription: "You take back a payment that you had recorded",
      content: receiptVoidedContent("Maria", { paidFor: "Hourly Consulting, Tue, Dec 8, 2026", amount: "$75.00" }),
    },
    "password-reset": {
      title: "New password",
      triggerDescription: "Someone forgot their password",
      content: accounts.passwordResetContent(SAMPLE_RECIPIENT),
    },
    "password-changed": {
      title: "Password changed",
      triggerDescription: "The password was changed",
      content: accounts.passwordChangedContent(SAMPLE_RECIPIENT, SAMPLE_TIME),
    },
    "new-device": {
      title: "New sign-in",
      triggerDescription: "Someone signs in on a new device",
      content: accounts.newDeviceContent(SAMPLE_RECIPIENT, SAMPLE_TIME, "Safari on an iPhone"),
    },
    "account-changed": {
      title: "Something changed",
      triggerDescription:
        "A second step, a passkey, a calendar link or the phone number was changed; {what changed} says which",
      content: accountChangedContent(
        { ...SAMPLE_RECIPIENT, isAdmin: false },
        [accountChangeFact("passkey-added", SAMPLE_TIME)],
        {
          addedAccessDays: 30,
        },
      ),
      required: ["what changed", "if not you"],
    },
    "email-change-requested": {
      title: "New address, to confirm",
      triggerDescription: "Someone wants another address for their account; goes to that address",
      content: addresses.emailChangeRequestedContent(),
    },
    "email-changed": {
      title: "Address changed",
      triggerDescription: "The address was changed; goes to the old one",
      content: addresses.emailChangedContent(SAMPLE_RECIPIENT, {
        at: SAMPLE_TIME,
        phone,
        canUndo: true,
        isConsultant: false,
      }),
      required: ["what to do"],
    },
    "consent-withdrawn": {
      title: "Agreement ended",
      triggerDescription: "You end an agreement that a family took back in a visit or on the phone",
      content: consentWithdrawnContent(SAMPLE_RECIPIENT, { title: "Recording a visit", at: SAMPLE_TIME, phone }),
    },
    "erasure-requested": {
      title: "Account to be deleted",
      triggerDescription: "A family asked to delete their account",
      content: erasureRequestedContent(SAMPLE_RECIPIENT, "Mon, Dec 21, 2026 at 10:00 AM ET", phone),
    },
    "erasure-scheduled": {
      title: "Account to be deleted, by you",
      triggerDescription:
        "You schedule the deletion of a family’s account; {how to keep it} says until when they can keep it",
      content: erasureScheduledContent(
        { ...SAMPLE_RECIPIENT, isClosed: false },
        "Mon, Dec 21, 2026 at 10:00 AM ET",
        phone,
      ),
      required: ["how to keep it"],
    },
    "erasure-withdrawn": {
      title: "Account kept",
      triggerDescription: "A family keeps their account, which was to be deleted",
      content: erasureCanceledContent(SAMPLE_RECIPIENT, SAMPLE_TIME, phone),
    },
  };
}
