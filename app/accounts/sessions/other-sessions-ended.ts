/** Shown after an action that ends an account's other sessions. */
export const OTHER_SESSIONS_ENDED_MESSAGE = "Your other devices are signed out.";
