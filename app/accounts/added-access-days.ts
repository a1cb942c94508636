/** What was added within so many days ends with a change of the password, unless its owner keeps it. */
export const ADDED_ACCESS_DAYS = 30;
