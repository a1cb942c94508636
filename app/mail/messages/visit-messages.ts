import { CALENDAR_FILE_SENTENCES } from "../mail-only-sentences.ts";
import type { MessageContent } from "../message-content.ts";

export type VisitDetails = {
  firstName: string;
  /** Weekday, date, time and time zone. */
  when: string;
  /** The length in words, such as "60 minutes". */
  length: string;
  /** Where the visit takes place, in words. */
  where: string;
  /** A sentence that says who gives the family the exact place, and by when. Null if it is known. */
  exactPlace: string | null;
  /** Path of the page of this visit, or of all visits. */
  path: string;
  /** What moving or canceling this visit costs, and until when, in sentences. */
  moveAndCancellationTerms: string;
};

function howToChangeVisitText(visit: VisitDetails): string {
  return `Can't make it? Open your visit. ${visit.moveAndCancellationTerms}`;
}

export function visitBookedContent(visit: VisitDetails): MessageContent {
  return {
    wording: { name: "visit-booked", values: { "how to change": howToChangeVisitText(visit) } },
    subject: "Your visit is booked",
    preview: `We look forward to seeing you on ${visit.when}.`,
    firstName: visit.firstName,
    paragraphs: ["Your visit is booked. We look forward to seeing you."],
    facts: visitFacts(visit),
    action: { label: "See your visit", path: visit.path },
    closing: [CALENDAR_FILE_SENTENCES.add, howToChangeVisitText(visit)],
  };
}

/** Time and length of a visit before a change. Null if unchanged. */
export type PreviousTimeAndLength = { when: string | null; length: string | null };

/** A change of place: a sentence for the family, and whether the place is to be agreed on again. */
export type PlaceChange = { text: string; isRemoved: boolean };

/** Builds the message that a visit has another time, length or place. `placeChange` is null if its place is the same. */
export function visitMovedContent(
  visit: VisitDetails,
  {
    previous,
    by,
    placeChange = null,
  }: { previous: PreviousTimeAndLength; by: "family" | "practice"; placeChange?: PlaceChange | null },
): MessageContent {
  const isPlaceOnly = placeChange !== null && previous.when === null && previous.length === null;
  const movedSentence = isPlaceOnly
    ? `${placeChange.text} It still starts at the same time. Doesn't that suit you? Please call us.`
    : describeVisitChange(visit, previous, { by, placeChange });
  const whatChanged = changedDetailsText(previous, placeChange);
  return {
    wording: {
      name: "visit-moved",
      values: {
        "who moved it": movedSentence,
        "what changed": whatChanged,
        "how to change": howToChangeVisitText(visit),
        "old time": previous.when ?? visit.when,
        "old length": previous.length ?? visit.length,
      },
      // A wording that mentions only the time would be incorrect.
      ...((previous.length !== null || placeChange !== null) && { needs: ["who moved it", "what changed"] }),
    },
    subject: `Your visit has ${whatChanged}`,
    preview: isPlaceOnly
      ? `It is on ${visit.when}.`
      : previous.when === null
        ? `It is ${visit.length} long now, on ${visit.when}.`
        : `It is now on ${visit.when}.`,
    firstName: visit.firstName,
    paragraphs: [movedSentence],
    facts: visitFacts(visit, previous),
    action: { label: "See your visit", path: visit.path },
    closing: [CALENDAR_FILE_SENTENCES.update, howToChangeVisitText(visit)],
  };
}

/** Returns what the visit has now, such as "a new time and length". */
function changedDetailsText({ when, length }: PreviousTimeAndLength, placeChange: PlaceChange | null): string {
  const hasNewPlace = placeChange !== null && !placeChange.isRemoved;
  const changedNames = [when !== null && "time", length !== null && "length", hasNewPlace && "place"].filter(Boolean);
  if (changedNames.length === 0) return "no place yet";
  return `a new ${new Intl.ListFormat("en-US").format(changedNames.map(String)).replace(", and ", " and ")}`;
}

function describeVisitChange(
  { length }: VisitDetails,
  previous: PreviousTimeAndLength,
  { by, placeChange }: { by: "family" | "practice"; placeChange: PlaceChange | null },
): string {
  const movedClause = by === "family" ? "You moved your visit" : "We had to move your visit";
  const newLength = `${length} long now; it was ${previous.length}`;
  const change =
    previous.length === null
      ? `${movedClause}.${placeChange === null ? " Everything else stays the same." : ""}`
      : previous.when === null
        ? `Your visit is ${newLength}. It still starts at the same time.`
        : `${movedClause}, and it is ${newLength}.`;
  if (by === "family") return change;
  if (placeChange !== null) return `${change} ${placeChange.text} Doesn't that suit you? Please call us.`;
  return `${change} Doesn't ${previous.length === null ? "the new time" : "that"} suit you? Please call us.`;
}

const CANCELED_BY_TEXTS = {
  family: "You canceled your visit.",
  practice: "We're sorry: we had to cancel your visit.",
  payment: "Your visit is canceled.",
};

/**
 * Builds the message about a canceled visit. `refundText` contains the sentences about the refund; `by` says who
 * canceled it. A family whose account is closed can't sign in, so its message has no link and does not use the
 * consultant's wording, which may mention booking again.
 */
export function visitCanceledContent(
  visit: Pick<VisitDetails, "firstName" | "when">,
  refundText: string,
  by: keyof typeof CANCELED_BY_TEXTS,
  { isAccountClosed = false }: { isAccountClosed?: boolean } = {},
): MessageContent {
  return {
    ...(!isAccountClosed && {
      wording: { name: "visit-cancelled", values: { refund: refundText, "who canceled it": CANCELED_BY_TEXTS[by] } },
      action: { label: "Book another time", path: "/appointments/new" },
    }),
    subject: "Your visit is canceled",
    preview: `It was set for ${visit.when}.`,
    firstName: visit.firstName,
    paragraphs: [CANCELED_BY_TEXTS[by], refundText],
    facts: [{ label: "It was on", value: visit.when }],
    closing: [
      CALENDAR_FILE_SENTENCES.remove,
      ...(isAccountClosed ? ["Your account on our website is closed, so you can't sign in there."] : []),
      "Didn't expect this? Please call us.",
    ],
  };
}

/**
 * Builds the message that a time was not booked, because its payment page was left or the payment came too late.
 * `amount` is what was paid after the time was taken, and is refunded. It is null if nothing was paid before the page
 * closed.
 */
export function visitNotBookedContent(
  firstName: string,
  { when, amount }: { when: string; amount: string | null },
): MessageContent {
  const whatHappened =
    amount === null
      ? "You chose a time and opened the payment page. No payment came through while we held the time, so the visit isn't booked, and others can book that time again. Nothing was charged."
      : `When your card payment came, the time was no longer free, so the visit isn't booked. We're sorry. ${amount} goes back to the card you paid with. Banks take up to 10 business days.`;
  return {
    wording: { name: "visit-not-booked", values: { "what happened": whatHappened } },
    subject: "Your visit is not booked",
    preview: `It would have been on ${when}.`,
    firstName,
    paragraphs: [whatHappened],
    facts: [{ label: "Time you chose", value: when }],
    action: { label: "Choose a time", path: "/appointments/new" },
    closing: ["Do you need help with your card, or with finding a time? Please call us."],
  };
}

/** Builds the message about a time that became free and is held for the family until `until`. */
export function waitingListOfferContent(
  firstName: string,
  { when, length, until, path }: Record<"when" | "length" | "until" | "path", string>,
): MessageContent {
  return {
    wording: { name: "waiting-list-offer" },
    subject: "A time has opened up for you",
    preview: `${when}. Held for you until ${until}.`,
    firstName,
    paragraphs: ["You asked us to tell you when a time opens up. One did, and we're holding it for you."],
    facts: [
      { label: "When", value: when },
      { label: "How long", value: length },
      { label: "Held until", value: until },
    ],
    action: { label: "Book this time", path },
    closing: [
      "If you haven't booked it by then, we'll offer it to the next family. You'll stay on the list for other times.",
      "Don't need it anymore? You can tell us on the same page.",
    ],
  };
}

/**
 * Builds the reminder a day before a visit. `questions` has the path of the three questions and whether they are
 * answered.
 */
export function dayReminderContent(
  visit: VisitDetails,
  questions: { path: string; isAnswered: boolean },
): MessageContent {
  return {
    wording: { name: "visit-reminder-24h", values: { "how to change": howToChangeVisitText(visit) } },
    subject: "Reminder: your visit is coming up",
    preview: visit.when,
    firstName: visit.firstName,
    paragraphs: ["This is a quick reminder about your visit."],
    facts: visitFacts(visit),
    action: { label: "See your visit", path: visit.path },
    moreLink: {
      label: questions.isAnswered
        ? "You have answered the three questions. Change your answers"
        : "Tell us what matters most to you: three short questions, and you can skip any",
      path: questions.path,
    },
    closing: [howToChangeVisitText(visit)],
  };
}

export function hourReminderContent(visit: VisitDetails, isVideo: boolean): MessageContent {
  const startsSoon = isVideo
    ? "Your video visit starts soon. The waiting room opens 10 minutes before. You can open the page now; you'll be let in when it's time."
    : "Your visit starts soon.";
  return {
    wording: { name: "visit-reminder-1h", values: { "starts soon": startsSoon } },
    subject: "Your visit starts within the hour",
    preview: visit.when,
    firstName: visit.firstName,
    paragraphs: [startsSoon],
    facts: visitFacts(visit),
    action: { label: isVideo ? "Go to the waiting room" : "See your visit", path: visit.path },
    closing: ["Running late? Please call us."],
  };
}

function visitFacts(
  { when, length, where, exactPlace }: VisitDetails,
  previous: PreviousTimeAndLength = { when: null, length: null },
) {
  return [
    { label: "When", value: when },
    ...(previous.when === null ? [] : [{ label: "Old time", value: previous.when }]),
    { label: "How long", value: length },
    ...(previous.length === null ? [] : [{ label: "Old length", value: previous.length }]),
    { label: "Where", value: where },
    ...(exactPlace === null ? [] : [{ label: "Exact place", value: exactPlace }]),
  ];
}
