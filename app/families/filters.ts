export const INTAKE_FILTERS = ["any", "yes", "no"] as const;
