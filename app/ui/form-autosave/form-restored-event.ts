/** Dispatched to a form with its restored values, for fields that depend on each other. */
export const FORM_RESTORED_EVENT = "form-restored";
