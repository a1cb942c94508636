import type { Refusal } from "../http/outcome.ts";

/** The specification's words for what the consultant's forms could not do (§8). */
export const MISSING_DETAILS = { title: "Missing Information", otherwise: "Please fill in all appointment details." };
export const SCHEDULING_FAILED = {
  title: "Scheduling Failed",
  description: "Failed to schedule consultation. Please try again.",
};

/** A refused start as the dialogs have it: said beside their field for the time, after what failed. An account is said beside its own. */
export function errorOnTimeField(refusal: Refusal, failureText: string): Refusal {
  const message = `${failureText} ${refusal.message}`;
  return {
    ...refusal,
    message,
    errors: refusal.errors && (refusal.errors.userId ? refusal.errors : { time: [refusal.message] }),
  };
}
