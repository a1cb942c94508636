import { z } from "zod";
import { normalizeEmail } from "../normalize-email.ts";
import { multiLine, singleLine } from "./text-hygiene.ts";
import { hasExcessiveMarks } from "../normalize-text.ts";

/** Most a person can write into any one field that names no limit of its own, in characters. */
export const MAX_TEXT_LENGTH = 5000;

const MAX_EMAIL_LENGTH = 254;
const MAX_ID = 2 ** 31 - 1;

/** Characters as people count them; the two databases disagree on anything else. */
const countCharacters = (value: string) => [...value].length;

/** What is said of a value that is no text: `missing` where there is none. A page's empty field counts as none. */
export function textSchema(missingMessage: string, typeMessage: string) {
  return z.string({ error: ({ input }) => (input === undefined || input === null ? missingMessage : typeMessage) });
}

/** Composing accents and removing invisible characters shorten a text to a fraction of what was sent, not to nothing. */
const RAW_LENGTH_FACTOR = 10;

type Hygiene = (text: string) => string;

/** What can't be stored is refused before anything is normalized: two texts must not become one. */
function plainText(hygiene: Hygiene, max: number, label: string, missingMessage = `${label} must be text.`) {
  const tooLong = { error: `${label} can have at most ${max.toLocaleString("en-US")} characters.`, abort: true };
  return textSchema(missingMessage, `${label} must be text.`)
    .trim()
    .refine((value) => value.length <= RAW_LENGTH_FACTOR * max, tooLong)
    .refine((value) => value.isWellFormed() && !value.includes("\u0000"), {
      error: `${label} contains a character that can't be stored.`,
      abort: true,
    })
    .refine((value) => !hasExcessiveMarks(value), {
      error: `${label} has too many accents on one letter.`,
      abort: true,
    })
    .transform(hygiene)
    .refine((value) => value.length <= 2 * max && countCharacters(value) <= max, tooLong);
}

/** Excludes spaces, format characters, ignorable ones such as the Hangul fillers, and the blank Braille pattern. */
const VISIBLE_CHARACTER = /[^\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Trimmed text of several lines that must be there, to be seen. `label` begins the sentence a person reads. */
export function requiredText(label: string, max: number = MAX_TEXT_LENGTH, missingMessage?: string) {
  return requiredWith(multiLine, label, max, missingMessage);
}

/** The same for one line, such as a name or a title: see `singleLine` for what is removed. */
export function requiredLine(label: string, max: number = MAX_TEXT_LENGTH, missing?: string) {
  return requiredWith(singleLine, label, max, missing);
}

/** Trimmed text of several lines that may be left out; an empty string counts as left out. */
export function optionalText(label: string, max: number = MAX_TEXT_LENGTH) {
  return optionalWith(multiLine, label, max);
}

/** The same for one line: see `singleLine` for what is removed. */
export function optionalLine(label: string, max: number = MAX_TEXT_LENGTH) {
  return optionalWith(singleLine, label, max);
}

/** Trimmed text that may be left out and is judged exactly as it was sent, such as a link. */
export function optionalVerbatim(label: string, max: number = MAX_TEXT_LENGTH) {
  return optionalWith((text) => text, label, max);
}

function requiredWith(hygiene: Hygiene, label: string, max: number, missing: string = `${label} is required.`) {
  return plainText(hygiene, max, label, missing).refine((value) => VISIBLE_CHARACTER.test(value), {
    error: missing,
    abort: true,
  });
}

function optionalWith(hygiene: Hygiene, label: string, max: number) {
  return z
    .preprocess((value) => value ?? undefined, plainText(hygiene, max, label).optional())
    .transform((value) => value || undefined);
}

/** An address in the one form in which it is stored and compared: NFKC, lower case. */
export function emailAddress(missingMessage = "Enter your email address.") {
  return requiredText("The email address", MAX_EMAIL_LENGTH, missingMessage)
    .transform(normalizeEmail)
    .pipe(z.email("Enter an email address such as name@example.com."));
}

/** Ids are positive integers; anything else in an address names nothing. */
export function parseId(value: string | undefined): number | null {
  if (!value || !/^[1-9][0-9]{0,9}$/.test(value)) return null;
  const id = Number(value);
  return id <= MAX_ID ? id : null;
}
