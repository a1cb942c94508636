import type { Submission } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { configureCoercion } from "@conform-to/zod/v4/future";
import { z } from "zod";
import { MULTIPART_MEDIA_TYPE, parseMediaType, readBody } from "./request-body.server.ts";
import { type Refusal, HTTP_STATUS } from "./outcome.ts";

export type FormSubmission<S extends z.ZodType> = Submission<z.input<S>, string[], z.output<S>>;

/** Maximum entries of a form. The largest form has about twenty fields; the longest list has six choices. */
const MAX_FORM_ENTRIES = 200;
/**
 * Maximum characters of a form: twice the length of the longest form. The response contains the submitted values twice:
 * escaped in the page and in the page's data.
 */
const MAX_FORM_CHARACTERS = 64 * 1024;
/** Of all parts together: the parser copies each parameter of a header. */
const MAX_PART_HEADER_CHARACTERS = 32 * 1024;
/** Maximum lines of a multipart body, including part headers. */
const MAX_MULTIPART_LINES = 10_000;
const URL_ENCODED_MEDIA_TYPE = "application/x-www-form-urlencoded";

/** Reads and validates a posted form. Throws a 4xx response when the body is not a form. */
export async function readForm<S extends z.ZodType>(request: Request, schema: S): Promise<FormSubmission<S>> {
  return parseForm(await readNamedFormFields(request, fieldNames(schema)), schema);
}

/** Accepts only digits as numbers, because `Number` would also read "60.0", "6e1" and "0x3c". */
const coercion = configureCoercion({
  type: { number: (text) => (/^[0-9]+$/.test(text) ? Number(text) : Number.NaN) },
});

/**
 * Validates fields from `readNamedFormFields`. Conform turns field names into paths (`a[30000000]`, `a.b.c`) and gives some
 * names a special meaning (`__intent__`), so it must only receive names that are in the schema.
 */
export function parseForm<S extends z.ZodType>(formData: FormData, schema: S): FormSubmission<S> {
  return parseWithZod(formData, { schema: coercion.coerceFormValue(schema), disableAutoCoercion: true });
}

/** Returns the field names of a schema. A list has one name, which is sent repeatedly. */
export function fieldNames(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  // One side of a preprocessed or transformed schema is the function, which has no fields.
  if (schema instanceof z.ZodPipe)
    return [schema.def.in, schema.def.out].flatMap((side) => fieldNames(side as z.ZodType));
  return [];
}

/**
 * Reads the text fields in `names` of a posted form, including repeated ones, and ignores all others. Throws a 4xx
 * response when the body is not a form or has too many entries or characters.
 */
export async function readNamedFormFields(request: Request, names: readonly string[]): Promise<FormData> {
  const allowedNames = new Set(names);
  const fields = new FormData();
  for (const [name, value] of await readFormTextEntries(request))
    if (allowedNames.has(name)) fields.append(name, value);
  return fields;
}

/**
 * Reads and validates a small posted form with one file, which is kept in memory. `file` is null when none was chosen,
 * and the first one when several were. The body limit of the path also limits the file's size. Throws a 4xx response
 * when the body is not a form or has too many entries or characters.
 */
export async function readFormWithFile<S extends z.ZodType>(
  request: Request,
  schema: S,
  fileField: string,
): Promise<{ submission: FormSubmission<S>; fields: FormData; file: Buffer | null }> {
  const entries = await readFormEntries(request);
  const allowedNames = new Set(fieldNames(schema));
  const fields = new FormData();
  for (const [name, value] of textEntries(entries)) if (allowedNames.has(name)) fields.append(name, value);
  const file = entries.find(([name, value]) => name === fileField && value instanceof File && value.size > 0)?.[1];
  return {
    submission: parseForm(fields, schema),
    fields,
    file: file instanceof File ? Buffer.from(await file.arrayBuffer()) : null,
  };
}

/**
 * Returns all text fields of a posted form in order, at most `MAX_FORM_ENTRIES`. Throws the same 4xx responses as
 * `readNamedFormFields`.
 */
export async function readFormTextEntries(request: Request): Promise<[name: string, value: string][]> {
  return textEntries(await readFormEntries(request));
}

async function readFormEntries(request: Request): Promise<[name: string, value: FormDataEntryValue][]> {
  const bytes = await readBody(request);
  if (!bytes) throw tooLargeResponse();
  if (bytes.length === 0) return [];
  const mediaType = parseMediaType(request.headers.get("content-type"));
  if (!mediaType || ![URL_ENCODED_MEDIA_TYPE, MULTIPART_MEDIA_TYPE].includes(mediaType.type))
    throw malformedResponse("That form can't be read.");
  const isMultipart = mediaType.type === MULTIPART_MEDIA_TYPE;
  if (isMultipart ? hasTooManyParts(bytes) : hasTooManyPairs(bytes)) throw tooManyEntriesResponse();
  const entries = isMultipart
    ? await parseMultipart(bytes, `${MULTIPART_MEDIA_TYPE};${mediaType.parameters}`)
    : [...new URLSearchParams(bytes.toString())];
  if (entries.length > MAX_FORM_ENTRIES) throw tooManyEntriesResponse();
  if (textEntries(entries).reduce((total, [, value]) => total + value.length, 0) > MAX_FORM_CHARACTERS)
    throw tooLargeResponse();
  return entries;
}

async function parseMultipart(bytes: Buffer, type: string) {
  const body = new Response(new Uint8Array(bytes), { headers: { "Content-Type": type } });
  return [...(await body.formData().catch(() => Promise.reject(malformedResponse("That form can't be read."))))];
}

function textEntries(entries: [name: string, value: FormDataEntryValue][]): [name: string, value: string][] {
  return entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
}

/** Counts separators before parsing, as `hasTooManyParts` does. */
function hasTooManyPairs(bytes: Buffer): boolean {
  return occursMoreThan(bytes.toString("latin1"), MAX_FORM_ENTRIES - 1, "&");
}

function hasTooManyParts(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  return (
    occursMoreThan(text, MAX_FORM_ENTRIES, /content-disposition/i) ||
    occursMoreThan(text, MAX_MULTIPART_LINES, "\n") ||
    partHeaderLength(text) > MAX_PART_HEADER_CHARACTERS
  );
}

function partHeaderLength(text: string): number {
  const headers = text.match(/content-(?:disposition|type)[ \t]*:[^\n]*/gi) ?? [];
  return headers.reduce((total, line) => total + line.length, 0);
}

function occursMoreThan(text: string, limit: number, separator: string | RegExp): boolean {
  return text.split(separator, limit + 2).length > limit + 1;
}

function tooManyEntriesResponse(): Response {
  return malformedResponse("That form has too many fields.");
}

function tooLargeResponse(): Response {
  return new Response("That form is too large.", { status: HTTP_STATUS.tooLarge, statusText: "Payload Too Large" });
}

function malformedResponse(message: string): Response {
  return new Response(message, { status: HTTP_STATUS.malformed, statusText: "Bad Request" });
}

/**
 * Builds the response to a form with errors: the submitted values and the messages by field. The values of
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
