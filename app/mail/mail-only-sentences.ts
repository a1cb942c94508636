// Sentences that are correct in the email, but not in the same message in the portal.

/** Explain how to use the calendar file attached to an email. A message in the portal has no attachment. */
export const CALENDAR_FILE_SENTENCES = {
  add: "Open the attached file to add the visit to your calendar.",
  update: "Open the attached file to update your calendar.",
  remove: "Open the attached file to take the visit out of your calendar.",
} as const;

/** Left out when mail is not set up, because only the email contains the confirmation link. */
export const CONFIRM_ADDRESS_SENTENCE =
  "Please confirm that the address is yours. Then we know that reminders and news about your visits reach you.";
