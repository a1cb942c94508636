import type { FormErrorOptions } from "../../accounts/form-error-response.server.ts";
import type { Refusal } from "../../http/outcome.ts";

/** Toasts of the administrator's scheduling dialogs, in the wording of docs/product.md. */
export const MISSING_DETAILS_ERROR_OPTIONS = {
  title: "Missing Information",
  fallbackMessage: "Please fill in all appointment details.",
} satisfies FormErrorOptions;
export const SCHEDULING_ERROR_OPTIONS = {
  title: "Scheduling Failed",
  failureText: "Failed to schedule consultation. Please try again.",
};

/**
 * Moves an error of the start to the dialog's time field. An error of the account stays at the account field. The text
 * of an error that belongs to a field is shown there and not in the message.
 */
export function toTimeFieldRefusal(refusal: Refusal, failureText: string): Refusal {
  if (!refusal.errors) return { ...refusal, message: `${failureText} ${refusal.message}`.trim() };
  const errors = refusal.errors.userId ? refusal.errors : { time: [refusal.message] };
  return { ...refusal, message: failureText, errors };
}
