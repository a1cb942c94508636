export const INTAKE_FILTERS = ["any", "yes", "no", "new"] as const;
export const VISIT_FILTERS = ["any", "owes", "nothing-booked", "follow-up-due"] as const;
