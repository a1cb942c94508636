/** Dispatched to a form with its restored values, for fields that depend on each other. */
export const RESTORED_EVENT = "form-restored";
