import type { MessageContent } from "../message-content.ts";

/** What a family did to a visit; `payment-failed`: its card was not charged, so the visit that it booked is canceled. */
export type VisitChange = "booked" | "moved" | "canceled" | "payment-failed";

type ChangedVisit = {
  change: VisitChange;
  /** Its start, as a person reads it; before it was canceled. */
  when: string;
  /** Its start before it was moved. */
  before: string | null;
  /** The consultant's page of it. */
  path: string;
};

const TEXTS: Record<VisitChange, Record<"label" | "subject" | "preview" | "text", string>> = {
  booked: {
    label: "Booked",
    subject: "A family booked a visit",
    preview: "It is on",
    text: "A family booked a visit. You don't need to confirm it.",
  },
  moved: {
    label: "Moved",
    subject: "A family moved a visit",
    preview: "It is now on",
    text: "A family moved a visit. The old time is free again.",
  },
  canceled: {
    label: "Canceled",
    subject: "A family canceled a visit",
    preview: "It was set for",
    text: "A family canceled a visit, so please don't wait for them. The time is free again.",
  },
  "payment-failed": {
    label: "Canceled, the payment failed",
    subject: "A visit is canceled: the payment failed",
    preview: "It was set for",
    text: "The card payment for a visit didn't go through, so the visit is canceled and the time is free again. We told the family.",
  },
};

type Fact = NonNullable<MessageContent["facts"]>[number];

/** A line of the mail about several changes. */
export function visitChangeFact({ change, when, before }: ChangedVisit): Fact {
  return { label: TEXTS[change].label, value: before === null ? when : `${when} (before: ${before})` };
}

/** To the consultant; contains no personal data. */
export function visitChangedContent(firstName: string, visit: ChangedVisit): MessageContent {
  const { subject, preview, text } = TEXTS[visit.change];
  return {
    subject,
    preview: `${preview} ${visit.when}.`,
    firstName,
    paragraphs: [text],
    facts: [visitChangeFact(visit)],
    action: { label: "Open the visit", path: visit.path },
  };
}

/** To the consultant, of what one family did within an hour; contains no personal data. */
export function visitsChangedContent(firstName: string, familyId: number, facts: Fact[]): MessageContent {
  return {
    subject: "A family changed several visits",
    preview: "All of it happened within an hour.",
    firstName,
    paragraphs: ["A family changed several visits within an hour, in this order. Their page shows how they are now."],
    facts,
    action: { label: "Open the family’s page", path: `/families/${familyId}` },
  };
}
