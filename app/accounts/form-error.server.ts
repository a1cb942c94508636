import type { SubmissionResult } from "@conform-to/react";
import { data, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { type FormSubmission, formReply } from "../http/form.server.ts";
import type { Refusal } from "../http/outcome.ts";
import type { Notice } from "../ui/notice.ts";
import { flashNow } from "./sessions/flash.server.ts";

export type FormErrorOptions = {
  /** The toast's title, in the wording of docs/product.md. */
  title: string;
  /** The toast's text when there is no refusal because fields are invalid. */
  fallbackMessage?: string;
  hiddenFields?: string[];
};

export type FormErrorData = { result: SubmissionResult<string[]>; notice: Notice };

/** The response to a form that was refused: errors at the fields, in the summary and as a toast. */
export function formError<S extends z.ZodType>(
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
  flashNow(context, notice, refusal?.retryAfterSeconds);
  const { result, status } = formReply(submission, refusal, hiddenFields);
  return data<FormErrorData>({ result, notice }, { status });
}
