import type { MessageContent } from "../message-content.ts";

/**
 * What a family did to a visit. `payment-failed`: its card was not charged, so the visit that it booked is canceled.
 */
export type VisitChange = "booked" | "moved" | "canceled" | "payment-failed";

type ChangedVisit = {
  change: VisitChange;
  /** Start of the visit, formatted for display. For a canceled visit, its start before the cancellation. */
  when: string;
  /** Start before the visit was moved, formatted for display. Null if it was not moved. */
  previousStart: string | null;
  /** Whether the family asks to meet at a place of its own. */
  hasOwnPlace?: boolean;
  /** Path of the consultant's page for the visit. */
  path: string;
};

const VISIT_CHANGE_TEXTS: Record<VisitChange, Record<"label" | "subject" | "preview" | "text", string>> = {
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

function isAskingForPlace({ change, hasOwnPlace = false }: ChangedVisit): boolean {
  return change === "booked" && hasOwnPlace;
}

/** Builds one line of the message about several changes. */
export function visitChangeFact(visit: ChangedVisit): Fact {
  const { change, when, previousStart } = visit;
  const label = isAskingForPlace(visit) ? "Booked, asking for another place" : VISIT_CHANGE_TEXTS[change].label;
  return { label, value: previousStart === null ? when : `${when} (before: ${previousStart})` };
}

/** Builds the message to the consultant about one change. Contains no personal data. */
export function visitChangedForConsultantContent(firstName: string, visit: ChangedVisit): MessageContent {
  const { subject, preview, text } = VISIT_CHANGE_TEXTS[visit.change];
  const isAsking = isAskingForPlace(visit);
  return {
    subject,
    preview: `${preview} ${visit.when}.`,
    firstName,
    paragraphs: [isAsking ? `${text} They ask to meet at another place, which is on the page of the visit.` : text],
    facts: [visitChangeFact(visit)],
    action: { label: "Open the visit", path: visit.path },
  };
}

/** Builds the message to the consultant about one family's changes within an hour. Contains no personal data. */
export function visitsChangedForConsultantContent(firstName: string, familyId: number, facts: Fact[]): MessageContent {
  return {
    subject: "A family changed several visits",
    preview: "All of it happened within an hour.",
    firstName,
    paragraphs: ["A family changed several visits within an hour, in this order. Their page shows how they are now."],
    facts,
    action: { label: "Open the family’s page", path: `/families/${familyId}` },
  };
}
