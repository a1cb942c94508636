/** Sent to a form with what was kept of it, for fields that depend on each other. */
export const RESTORED_EVENT = "kept-form-restored";
