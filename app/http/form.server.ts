import type { Submission } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { z } from "zod";
import { readBody } from "./json.server.ts";
import { type Refusal, HTTP_STATUS } from "./outcome.ts";

export type FormSubmission<S extends z.ZodType> = Submission<z.input<S>, string[], z.output<S>>;

/** More than any form of ours sends: the longest has about twenty fields, the longest list six choices. */
const MAX_ENTRIES = 200;
/** Twice what the longest form can hold. What is typed comes back in the page, escaped, and again in its data. */
const MAX_CHARACTERS = 64 * 1024;
/** Of a form in parts, header lines included. */
const MAX_LINES = 10_000;

/** Reads a posted form against the schema that the API uses too. Throws a 4xx answer when it is no form at all. */
export async function readForm<S extends z.ZodType>(request: Request, schema: S): Promise<FormSubmission<S>> {
  return parseForm(await readFormData(request, fieldNames(schema)), schema);
}

/**
 * Judges fields that `readFields` let through. The form library makes paths of the names (`a[30000000]`, `a.b.c`, its own
 * `__intent__`), so no name of a visitor's own choice may reach it.
 */
export function parseForm<S extends z.ZodType>(formData: FormData, schema: S): FormSubmission<S> {
  return parseWithZod(formData, { schema });
}

/** The names under which a form sends what `schema` reads; a list is sent as its one name, repeated. */
export function fieldNames(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  // Of a preprocessed or transformed schema one side is the function; it has no fields of its own.
  if (schema instanceof z.ZodPipe)
    return [schema.def.in, schema.def.out].flatMap((side) => fieldNames(side as z.ZodType));
  return [];
}

/**
 * The text fields of a posted form that are among `names`, as often as they were sent; everything else is ignored.
 * Throws a 4xx answer when it is no form at all, or has more entries or characters than any of ours.
 */
export async function readFormData(request: Request, names: readonly string[]): Promise<FormData> {
  const own = new Set(names);
  const fields = new FormData();
  for (const [name, value] of await readEntries(request)) if (own.has(name)) fields.append(name, value);
  return fields;
}

/** Every text field of a posted form in its order, at most `MAX_ENTRIES`; throws as `readFields` does. */
export async function readEntries(request: Request): Promise<[name: string, value: string][]> {
  const bytes = await readBody(request);
  if (!bytes) throw tooLarge();
  const type = request.headers.get("content-type") ?? "application/x-www-form-urlencoded";
  if (hasTooManyEntries(bytes, type)) throw malformed("That form has too many fields.");
  const form = await new Response(new Uint8Array(bytes), { headers: { "Content-Type": type } })
    .formData()
    .catch(() => Promise.reject(malformed("That form can't be read.")));
  const entries = [...form].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  if (entries.reduce((total, [, value]) => total + value.length, 0) > MAX_CHARACTERS) throw tooLarge();
  return entries;
}

/** Counts without parsing: separators, or the header that every part of a multipart form has. */
function hasTooManyEntries(bytes: Buffer, type: string): boolean {
  const text = bytes.toString("latin1");
  const occursMoreThan = (limit: number, mark: string | RegExp) => text.split(mark, limit + 2).length > limit + 1;
  if (!/^multipart\//i.test(type.trim())) return occursMoreThan(MAX_ENTRIES - 1, "&");
  return occursMoreThan(MAX_ENTRIES, /content-disposition/i) || occursMoreThan(MAX_LINES, "\n");
}

function tooLarge(): Response {
  return new Response("That form is too large.", { status: HTTP_STATUS.tooLarge, statusText: "Payload Too Large" });
}

function malformed(message: string): Response {
  return new Response(message, { status: HTTP_STATUS.malformed, statusText: "Bad Request" });
}

/**
 * The answer to a form that could not be taken: what was typed, and what to do beside each field. Fields named in
 * `hiddenFields` (passwords) are never sent back.
 */
export function formReply<S extends z.ZodType>(
  submission: FormSubmission<S>,
  refusal: Refusal | null,
  hiddenFields: string[] = [],
) {
  const formErrors = refusal && !refusal.errors ? [refusal.message] : undefined;
  const result = submission.reply({ formErrors, fieldErrors: refusal?.errors ?? {}, hideFields: hiddenFields });
  return { result, status: refusal ? HTTP_STATUS[refusal.reason] : HTTP_STATUS.invalid };
}
