import type { SubmissionResult } from "@conform-to/react";
import { data, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { type FormSubmission, formReply } from "../http/form.server.ts";
import type { Refusal } from "../http/outcome.ts";
import type { Notice } from "../ui/toast.ts";
import { hasFieldErrors } from "../ui/error-summary.tsx";
import { flashNow } from "./sessions/flash.server.ts";
import { setRetryAfter } from "./sessions/session.server.ts";

export type FormErrorOptions = {
  /** The toast's title, in the wording of docs/product.md. */
  title: string;
  /** The toast's text when there is no refusal because the fields are invalid. */
  fallbackMessage?: string;
  hiddenFields?: string[];
};

export type FormErrorData = { result: SubmissionResult<string[]>; notice: Notice };

/**
 * Builds the response to a refused form. Errors appear in the summary and at their fields; only an error that concerns
 * no field appears as a toast.
 */
export function createFormErrorResponse<S extends z.ZodType>(
  context: Readonly<RouterContextProvider>,
  submission: FormSubmission<S>,
  refusal: Refusal | null,
  { title, fallbackMessage, hiddenFields }: FormErrorOptions,
) {
  const fieldErrors = Object.values(submission.status === "error" ? (submission.error ?? {}) : {}).flat();
  const description =
    refusal?.message ??
    fallbackMessage ??
    fieldErrors.find((text) => typeof text === "string") ??
    "Please check the form.";
  const notice = { title, description, style: "destructive" as const };
  const { result, status } = formReply(submission, refusal, hiddenFields);
  if (hasFieldErrors(result.error ?? {})) setRetryAfter(context, refusal?.retryAfterSeconds);
  else flashNow(context, notice, refusal?.retryAfterSeconds);
  return data<FormErrorData>({ result, notice }, { status });
}
