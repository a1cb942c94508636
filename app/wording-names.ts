/** The messages to families with editable wording, in display order. */
export const WORDING_NAMES = [
  "account-made",
  "confirm-email",
  "invitation",
  "visit-booked",
  "visit-moved",
  "visit-cancelled",
  "visit-not-booked",
  "payment-returned",
  "visit-reminder-24h",
  "visit-reminder-1h",
  "waiting-list-offer",
  "request-received",
  "document-added",
  "follow-ups-shared",
  "follow-up-due",
  "receipt",
  "receipt-voided",
  "password-reset",
  "password-changed",
  "new-device",
  "account-changed",
  "email-change-requested",
  "email-changed",
  "consent-withdrawn",
  "erasure-requested",
  "erasure-scheduled",
  "erasure-withdrawn",
] as const;

export type WordingName = (typeof WORDING_NAMES)[number];

export function isWordingName(text: string | undefined): text is WordingName {
  return WORDING_NAMES.some((name) => name === text);
}
