/** Also shown on the page. Kept out of the schemas, which browsers do not load. */
export const EMAIL_TAKEN_MESSAGE = "An account with this email address already exists. Please sign in instead.";
