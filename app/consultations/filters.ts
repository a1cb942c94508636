export const STANDINGS = ["any", "open", "scheduled"] as const;
export const URGENCY_FILTERS = ["any", "emergency", "urgent", "routine"] as const;
