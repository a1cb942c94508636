export const INTAKES = ["any", "yes", "no"] as const;
