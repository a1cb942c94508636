import type { Submission } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";
import { readLimited } from "./json.server.ts";
import { type Refusal, STATUS } from "./outcome.ts";

export type FormSubmission<S extends z.ZodType> = Submission<z.input<S>, string[], z.output<S>>;

/** Reads a posted form against the schema that the API uses too. Throws a 4xx answer when it is no form at all. */
export async function readForm<S extends z.ZodType>(request: Request, schema: S): Promise<FormSubmission<S>> {
  return parseForm(await readFields(request), schema);
}

export function parseForm<S extends z.ZodType>(fields: FormData, schema: S): FormSubmission<S> {
  return parseWithZod(fields, { schema });
}

export async function readFields(request: Request): Promise<FormData> {
  const bytes = await readLimited(request);
  if (!bytes)
    throw new Response("That form is too large.", { status: STATUS.tooLarge, statusText: "Payload Too Large" });
  const type = request.headers.get("content-type") ?? "application/x-www-form-urlencoded";
  try {
    return await new Response(new Uint8Array(bytes), { headers: { "Content-Type": type } }).formData();
  } catch {
    throw new Response("That form can't be read.", { status: STATUS.malformed, statusText: "Bad Request" });
  }
}

/**
 * The answer to a form that could not be taken: what was typed, and what to do beside each field. Fields named in
 * `hide` (passwords) are never sent back.
 */
export function replyTo<S extends z.ZodType>(
  submission: FormSubmission<S>,
  refusal: Refusal | null,
  hide: string[] = [],
) {
  const formErrors = refusal && !refusal.errors ? [refusal.message] : undefined;
  const result = submission.reply({ formErrors, fieldErrors: refusal?.errors ?? {}, hideFields: hide });
  return { result, status: refusal ? STATUS[refusal.reason] : STATUS.invalid };
}
