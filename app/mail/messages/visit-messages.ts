import type { MessageContent } from "../content.ts";

export type VisitDetails = {
  firstName: string;
  /** Weekday, date, time and zone. */
  when: string;
  /** In words, such as "60 minutes". */
  length: string;
  /** Where it takes place, in words. */
  where: string;
  /** Who tells the family the exact place, and by when, in a sentence; null where it is known. */
  exactPlace: string | null;
  /** The page of this visit, or of all. */
  path: string;
  /** What moving or cancelling this visit costs, and until when, in sentences. */
  changeTerms: string;
};

function changeText(visit: VisitDetails): string {
  return `Can't make it? Open your visit, or call us. ${visit.changeTerms}`;
}

export function visitBookedContent(visit: VisitDetails): MessageContent {
  return {
    wording: { name: "visit-booked", values: { "how to change": changeText(visit) } },
    subject: "Your visit is booked",
    preview: `We look forward to seeing you on ${visit.when}.`,
    firstName: visit.firstName,
    paragraphs: ["Your visit is booked. We look forward to seeing you."],
    facts: factsOf(visit),
    action: { label: "See your visit", path: visit.path },
    closing: ["The attached file adds the visit to your calendar.", changeText(visit)],
  };
}

export function visitMovedContent(visit: VisitDetails, before: string): MessageContent {
  return {
    wording: { name: "visit-moved", values: { "how to change": changeText(visit) } },
    subject: "Your visit has a new time",
    preview: `It is now on ${visit.when}.`,
    firstName: visit.firstName,
    paragraphs: ["Your visit has a new time. Everything else stays the same."],
    facts: [...factsOf(visit), { label: "Old time", value: before }],
    action: { label: "See your visit", path: visit.path },
    closing: ["The attached file updates your calendar.", changeText(visit)],
  };
}

/** `refund` says what goes back, in a sentence. */
export function visitCancelledContent(visit: Pick<VisitDetails, "firstName" | "when">, refund: string): MessageContent {
  return {
    wording: { name: "visit-cancelled", values: { refund } },
    subject: "Your visit is canceled",
    preview: `It was set for ${visit.when}.`,
    firstName: visit.firstName,
    paragraphs: ["Your visit is canceled.", refund],
    facts: [{ label: "It was on", value: visit.when }],
    action: { label: "Book another time", path: "/appointments/new" },
    closing: ["The attached file removes the visit from your calendar."],
  };
}

/** A time that somebody gave up is held for the family until `until`, for `heldFor` ("two hours"). */
export function waitingListOfferContent(
  firstName: string,
  { when, until, heldFor, path }: Record<"when" | "until" | "heldFor" | "path", string>,
): MessageContent {
  return {
    wording: { name: "waiting-list-offer" },
    subject: "A time has opened up for you",
    preview: `${when}. We're holding it for you for ${heldFor}.`,
    firstName,
    paragraphs: ["You asked us to tell you when a time opens up that day. One just did, and we're holding it for you."],
    facts: [
      { label: "When", value: when },
      { label: "Held until", value: until },
    ],
    action: { label: "Book this time", path },
    closing: [
      "If you haven't booked it by then, we'll offer it to the next family. You'll stay on the list for other times.",
      "Don't need it anymore? You can tell us on the same page.",
    ],
  };
}

/** Leads to the three questions, which lead to the visit. */
export function dayReminderContent(visit: VisitDetails): MessageContent {
  return {
    wording: { name: "visit-reminder-24h" },
    subject: "Reminder: your visit is coming up",
    preview: visit.when,
    firstName: visit.firstName,
    paragraphs: [
      "This is a quick reminder about your visit.",
      "Would you like to tell us what matters most to you? There are three short questions, and you can skip any of them.",
    ],
    facts: factsOf(visit),
    action: { label: "Answer three questions", path: visit.path },
    closing: ["If you can't make it, please call us as soon as you can."],
  };
}

export function hourReminderContent(visit: VisitDetails, isVideo: boolean): MessageContent {
  const startsSoon = isVideo
    ? "Your video visit starts soon. The waiting room opens 10 minutes before. You can open the page now. It lets you in by itself."
    : "Your visit starts soon.";
  return {
    wording: { name: "visit-reminder-1h", values: { "starts soon": startsSoon } },
    subject: "Your visit starts within the hour",
    preview: visit.when,
    firstName: visit.firstName,
    paragraphs: [startsSoon],
    facts: factsOf(visit),
    action: { label: isVideo ? "Go to the waiting room" : "See your visit", path: visit.path },
    closing: ["Running late? Please call us."],
  };
}

function factsOf({ when, length, where, exactPlace }: VisitDetails) {
  return [
    { label: "When", value: when },
    { label: "How long", value: length },
    { label: "Where", value: where },
    ...(exactPlace === null ? [] : [{ label: "Exact place", value: exactPlace }]),
  ];
}
