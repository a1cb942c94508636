// Sentences of mails that are not true of the same message in the portal.

/** What to do with the calendar file that a mail has attached; a message in the portal has none. */
export const CALENDAR_FILE_SENTENCES = {
  add: "Open the attached file to add the visit to your calendar.",
  update: "Open the attached file to update your calendar.",
  remove: "Open the attached file to take the visit out of your calendar.",
} as const;

/** Left out where no mail is sent: the link in it is in the mail alone. */
export const CONFIRM_ADDRESS_SENTENCE =
  "Please confirm that the address is yours. Then we know that reminders and news about your visits reach you.";
