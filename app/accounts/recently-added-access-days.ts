/** Access that was added within this number of days is revoked when the password changes, unless the owner keeps it. */
export const RECENTLY_ADDED_ACCESS_DAYS = 30;
