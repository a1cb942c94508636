import type { SubmissionResult } from "@conform-to/react";
import type { AnyField } from "../../ui/use-server-validated-form.ts";

/** Name of the hidden field with the address that the visitor was already asked about. */
export const QUESTIONED_EMAIL_FIELD = "questionedEmail";

type QuestionedEmailFieldProps = { email: AnyField; lastResult: SubmissionResult<string[]> | undefined };

/** Carries the address whose domain was questioned, so that sending the same address again confirms it. */
export function QuestionedEmailField({ email, lastResult }: QuestionedEmailFieldProps) {
  // The address of an email field with another error is not accepted the next time either.
  const questioned = email.errors ? email.initialValue : lastResult?.initialValue?.[QUESTIONED_EMAIL_FIELD];
  if (typeof questioned !== "string") return null;
  return <input type="hidden" name={QUESTIONED_EMAIL_FIELD} value={questioned} />;
}
