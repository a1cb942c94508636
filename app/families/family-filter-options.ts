export const INTAKE_FILTERS = ["any", "yes", "no"] as const;
export const VISIT_FILTERS = ["any", "owes", "nothing-booked"] as const;
