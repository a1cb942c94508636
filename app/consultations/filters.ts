export const REQUEST_STATUS_FILTERS = ["any", "open", "scheduled"] as const;
export const URGENCY_FILTERS = ["any", "emergency", "urgent", "routine"] as const;
