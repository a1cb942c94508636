/** The kinds of mail that a person can turn off, with their labels. All other mail is always sent. */
export const MAIL_TOPICS = {
  reminders: "Reminders of visits",
  "follow-ups": "Next steps, and reminders of what is due",
  documents: "News about documents",
  receipts: "Receipts",
  visits: "Visits that families book, move or cancel",
} as const;

/** Labels of the link in a message that turns off its kind of mail. */
export const UNSUBSCRIBE_LABELS: Record<keyof typeof MAIL_TOPICS, string> = {
  reminders: "Stop visit reminders",
  "follow-ups": "Stop emails about next steps",
  documents: "Stop emails about documents",
  receipts: "Stop emails about receipts",
  visits: "Stop emails about visits that families book, move or cancel",
};

export type MailTopic = keyof typeof MAIL_TOPICS;

const FAMILY_TOPICS: MailTopic[] = ["reminders", "follow-ups", "documents", "receipts"];
const CONSULTANT_TOPICS: MailTopic[] = ["visits", "documents"];

/** Returns the topics of mail that a person receives. */
export function topicsForPerson({ isAdmin }: { isAdmin: boolean }): MailTopic[] {
  return isAdmin ? CONSULTANT_TOPICS : FAMILY_TOPICS;
}

/**
 * The events that messages are sent for, each with its topic, or null if it can't be turned off. The names are public
 * (header X-Event).
 */
export const MAIL_EVENTS = {
  "account-made": null,
  "confirm-email": null,
  "password-reset": null,
  "password-changed": null,
  "email-change-requested": null,
  "email-changed": null,
  "new-device": null,
  "account-changed": null,
  "visit-booked": null,
  "visit-moved": null,
  "visit-cancelled": null,
  "visit-not-booked": null,
  "payment-returned": null,
  "visits-changed": "visits",
  "visit-reminder-24h": "reminders",
  "visit-reminder-1h": "reminders",
  "follow-ups-shared": "follow-ups",
  "follow-up-due": "follow-ups",
  "request-received": null,
  "new-request": null,
  "document-added": "documents",
  receipt: "receipts",
  invitation: null,
  "waiting-list-offer": null,
  "erasure-requested": null,
  "erasure-withdrawn": null,
  "family-leaves": null,
  "family-stays": null,
  "consent-withdrawn": null,
  "new-legal-request": null,
} as const satisfies Record<string, MailTopic | null>;

export type MailEvent = keyof typeof MAIL_EVENTS;

/** Events that notify the owner of an account that another person may be using it. */
export const SECURITY_EVENTS: readonly MailEvent[] = [
  "password-changed",
  "email-change-requested",
  "email-changed",
  "new-device",
  "erasure-requested",
  "erasure-withdrawn",
];

export const REMINDER_EVENTS = ["visit-reminder-24h", "visit-reminder-1h"] as const satisfies MailEvent[];

export function mailTopicOfEvent(event: string): MailTopic | null {
  return Object.hasOwn(MAIL_EVENTS, event) ? MAIL_EVENTS[event as MailEvent] : null;
}

export function mailEventsOfTopic(topic: MailTopic): string[] {
  return Object.keys(MAIL_EVENTS).filter((event) => mailTopicOfEvent(event) === topic);
}

export function isMailTopic(text: string): text is MailTopic {
  return Object.hasOwn(MAIL_TOPICS, text);
}
