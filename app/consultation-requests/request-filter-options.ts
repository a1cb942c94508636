export const REQUEST_STATUS_FILTERS = ["open", "scheduled", "any"] as const;
export const URGENCY_FILTERS = ["any", "emergency", "urgent", "routine"] as const;
