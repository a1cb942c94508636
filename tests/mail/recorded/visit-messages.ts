import {
  type BookedVisit,
  cancellationTermsAfterDeadline,
  moveAndCancellationTerms,
} from "../../../app/booking/prices/cancellation-policy.ts";
import {
  familyCancellationPaymentText,
  PAYMENT_FAILED_SENTENCE,
  refundMailText,
} from "../../../app/checkout/cancellation/cancellation-texts.ts";
import * as visits from "../../../app/mail/messages/visit-messages.ts";
import { type SampleMessage, WHEN } from "./sample-practice.ts";

const ZONE = "America/New_York";
/** As in `WHEN`. */
const START = new Date("2026-12-07T15:00Z");
const before = (hours: number) => new Date(START.getTime() - hours * 3_600_000);
const [EARLY, LATE] = [before(72), before(10)];

const UNPAID: BookedVisit & { paymentStatus: string } = {
  paymentStatus: "pending",
  appointmentDate: START,
  paymentMethod: "in-person",
  paymentAmountCents: 7500,
  payments: [],
};
const PAID: typeof UNPAID = { ...UNPAID, paymentMethod: "online", payments: [{ amountCents: 7500, refundedCents: 0 }] };
const FREE: typeof UNPAID = { ...UNPAID, paymentMethod: null, paymentAmountCents: null };

const COMMON = { firstName: "Maria", when: WHEN, length: "60 minutes", path: "/appointments/12/booked" };
const ASK_FOR_PLACE = "We'll agree on it with you. If you don't know it yet, please call us at (732) 555-0142.";
const IN_AREA = { where: "In person, Long Branch, NJ area" };
const AT_ADDRESS = { where: "In person, 12 Broad Street, 2nd floor, Long Branch, NJ 07740", exactPlace: null };

const terms = (visit: BookedVisit, now: Date) => ({
  moveAndCancellationTerms: moveAndCancellationTerms(visit, now, ZONE),
});

const AHEAD = { ...COMMON, ...AT_ADDRESS, ...terms(UNPAID, EARLY) };
const BY_VIDEO = { ...COMMON, where: "Video visit", exactPlace: null, ...terms(PAID, EARLY) };
const BY_LINK = { ...BY_VIDEO, where: "Online meeting. The link is on the page of your visit." };
const SCHOOL = "Lincoln School, room 12";
const NEW_PLACE = { text: `We set the place of your visit: ${SCHOOL}.`, isRemoved: false };
const AT_SCHOOL = { ...COMMON, where: `In person, ${SCHOOL}`, exactPlace: null, ...terms(UNPAID, EARLY) };
const SOON = { ...COMMON, ...IN_AREA, length: "90 minutes", exactPlace: ASK_FOR_PLACE, ...terms(UNPAID, LATE) };

const OLD_TIME = "Fri, Dec 4, 2026 at 3:00 PM ET";
const NOT_PAID_ONLINE = { payment: null, refundCents: 0 };
const paidOnline = (refundCents: number) => ({ payment: PAID.payments[0] ?? null, refundCents });

const canceledByFamily = (
  title: string,
  details: visits.VisitDetails,
  cancellation: Parameters<typeof familyCancellationPaymentText>,
): SampleMessage => ({
  event: "visit-cancelled",
  title,
  content: visits.visitCanceledContent(details, familyCancellationPaymentText(...cancellation), "family"),
});

/** What a family gets about a visit in place of the sample that the consultant can edit. */
export const VISIT_MESSAGES: SampleMessage[] = [
  { event: "visit-booked", title: "Visit booked, less than a day ahead", content: visits.visitBookedContent(SOON) },
  {
    event: "visit-booked",
    title: "Visit booked, in person, with a street address",
    content: visits.visitBookedContent(AHEAD),
  },
  {
    event: "visit-booked",
    title: "Visit booked, in person, place to be agreed",
    content: visits.visitBookedContent({
      ...AHEAD,
      ...IN_AREA,
      exactPlace: "We'll call or email you by the day before to agree on it.",
    }),
  },
  {
    event: "visit-booked",
    title: "Visit booked, on a meeting link",
    content: visits.visitBookedContent(BY_LINK),
  },
  {
    event: "visit-booked",
    title: "Visit booked, at no cost",
    content: visits.visitBookedContent({ ...BY_VIDEO, ...terms(FREE, EARLY) }),
  },
  {
    event: "visit-cancelled",
    title: "Visit canceled by the practice, paid by card",
    content: visits.visitCanceledContent(SOON, refundMailText(7500), "practice"),
  },
  {
    event: "visit-cancelled",
    title: "Visit canceled with the account, paid by card",
    content: visits.visitCanceledContent(SOON, refundMailText(7500), "practice", { isAccountClosed: true }),
  },
  canceledByFamily("Visit canceled late, paid by card", SOON, [PAID, paidOnline(3750), LATE]),
  canceledByFamily("Visit canceled late, not paid", SOON, [UNPAID, NOT_PAID_ONLINE, LATE]),
  canceledByFamily("Visit canceled after the start, paid by card", SOON, [PAID, paidOnline(0), START]),
  canceledByFamily("Visit canceled after the start, not paid", SOON, [UNPAID, NOT_PAID_ONLINE, START]),
  canceledByFamily("Visit canceled, at no cost", BY_VIDEO, [FREE, NOT_PAID_ONLINE, EARLY]),
  {
    event: "visit-cancelled",
    title: "Visit canceled, the payment failed",
    content: visits.visitCanceledContent(SOON, PAYMENT_FAILED_SENTENCE, "payment"),
  },
  {
    event: "visit-not-booked",
    title: "Visit not booked, paid too late",
    content: visits.visitNotBookedContent("Maria", { when: WHEN, amount: "$75" }),
  },
  {
    event: "visit-moved",
    title: "Visit moved by the practice",
    content: visits.visitMovedContent(SOON, { previous: { when: OLD_TIME, length: null }, by: "practice" }),
  },
  {
    event: "visit-moved",
    title: "Visit with another length",
    content: visits.visitMovedContent(SOON, { previous: { when: null, length: "60 minutes" }, by: "practice" }),
  },
  {
    event: "visit-moved",
    title: "Visit moved, with another length",
    content: visits.visitMovedContent(SOON, { previous: { when: OLD_TIME, length: "60 minutes" }, by: "practice" }),
  },
  {
    event: "visit-moved",
    title: "Visit with a new place",
    content: visits.visitMovedContent(AT_SCHOOL, {
      previous: { when: null, length: null },
      by: "practice",
      placeChange: NEW_PLACE,
    }),
  },
  {
    event: "visit-moved",
    title: "Visit whose place is to be agreed on again",
    content: visits.visitMovedContent(AHEAD, {
      previous: { when: null, length: null },
      by: "practice",
      placeChange: { text: "The place of your visit is to be agreed on again.", isRemoved: true },
    }),
  },
  {
    event: "visit-moved",
    title: "Visit moved, to a new place",
    content: visits.visitMovedContent(AT_SCHOOL, {
      previous: { when: OLD_TIME, length: null },
      by: "practice",
      placeChange: NEW_PLACE,
    }),
  },
  {
    event: "visit-reminder-24h",
    title: "Reminder, a day before, in person, questions answered",
    content: visits.dayReminderContent(
      { ...SOON, moveAndCancellationTerms: cancellationTermsAfterDeadline(UNPAID, before(24), ZONE) },
      { path: "/appointments/12/questions", isAnswered: true },
    ),
  },
  {
    event: "visit-reminder-24h",
    title: "Reminder, a day before, at no cost",
    content: visits.dayReminderContent(
      { ...BY_VIDEO, moveAndCancellationTerms: cancellationTermsAfterDeadline(FREE, before(24), ZONE) },
      { path: "/appointments/12/questions", isAnswered: false },
    ),
  },
  {
    event: "visit-reminder-1h",
    title: "Reminder, an hour before, on a meeting link",
    content: visits.hourReminderContent(BY_LINK, false),
  },
  {
    event: "visit-reminder-1h",
    title: "Reminder, an hour before, in person",
    content: visits.hourReminderContent(
      { ...SOON, exactPlace: "Where you agreed with your consultant. Not sure? Please call (732) 555-0142 now." },
      false,
    ),
  },
];
