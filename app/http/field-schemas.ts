import { accepted, type Outcome, refused } from "./outcome.ts";
import { z } from "zod";
import { normalizeEmail } from "../normalize-email.ts";
import { normalizeMultiLine, normalizeSingleLine } from "./normalize-text.ts";
import { hasExcessiveMarks } from "../normalize-unicode.ts";

/** Maximum length of fields that have no limit of their own, in characters. */
export const MAX_TEXT_LENGTH = 5000;

const MAX_EMAIL_LENGTH = 254;
/** The largest id: the databases store ids in 32 bits. */
export const MAX_ID = 2 ** 31 - 1;

/** Counts Unicode code points. The two databases count other units differently. */
const countCharacters = (value: string) => [...value].length;

/**
 * A string schema with its messages: `missingMessage` for an absent value, `typeMessage` for another type. An empty
 * field of a page counts as absent.
 */
export function stringWithMessages(missingMessage: string, typeMessage: string) {
  return z.string({ error: ({ input }) => (input === undefined || input === null ? missingMessage : typeMessage) });
}

/** Normalizing and removing invisible characters shortens a text at most by this factor. */
const RAW_LENGTH_FACTOR = 10;

type TextNormalizer = (text: string) => string;

/**
 * For `superRefine`: reports the first broken rule alone. Without `abort`, which would also stop the checks of the
 * whole form, such as two passwords that must match.
 */
export function reportFirst(...rules: readonly (readonly [isFine: (value: string) => boolean, message: string])[]) {
  return (value: string, context: z.RefinementCtx): void => {
    const broken = rules.find(([isFine]) => !isFine(value));
    if (broken) context.addIssue({ code: "custom", message: broken[1] });
  };
}

/** Rejects what can't be stored before normalizing, so that two different texts never become one. */
function plainText(normalize: TextNormalizer, max: number, label: string, missingMessage = `${label} must be text.`) {
  const tooLong = `${label} can have at most ${max.toLocaleString("en-US")} characters.`;
  return stringWithMessages(missingMessage, `${label} must be text.`)
    .trim()
    .superRefine(
      reportFirst(
        [(value) => value.length <= RAW_LENGTH_FACTOR * max, tooLong],
        [
          (value) => value.isWellFormed() && !value.includes("\u0000"),
          `${label} contains a character that can't be stored.`,
        ],
        [(value) => !hasExcessiveMarks(value), `${label} has too many accents on one letter.`],
      ),
    )
    .meta({ maxLength: max })
    .transform(normalize)
    .refine((value) => value.length <= 2 * max && countCharacters(value) <= max, tooLong);
}

/**
 * Matches a character that is visible by itself: a letter, number, punctuation mark or symbol, and none that is ignorable
 * (such as Hangul fillers) or a blank Braille pattern. A combining mark without a letter, or what no script has, is none.
 */
const VISIBLE_CHARACTER = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;
/** Ignorable characters but the joiners, which spell names in Persian and in scripts of India. */
const IGNORABLE_IN_NAMES = /(?![\u200C\u200D])\p{Default_Ignorable_Code_Point}/gu;
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u;

/** Required multi-line text, trimmed, with a visible character. `label` begins the error messages. */
export function requiredText(label: string, max: number = MAX_TEXT_LENGTH, missingMessage?: string) {
  return requiredWith(normalizeMultiLine, label, max, missingMessage);
}

/** Like `requiredText`, for a single line such as a name or title; see `normalizeSingleLine`. */
export function requiredLine(label: string, max: number = MAX_TEXT_LENGTH, missing?: string) {
  return requiredWith(normalizeSingleLine, label, max, missing);
}

/** A person's name: a line with a letter or number, without ignorable characters, so that no two only seem the same. */
export function requiredName(label: string, max: number, missing: string) {
  const normalize: TextNormalizer = (text) => normalizeSingleLine(text.replace(IGNORABLE_IN_NAMES, ""));
  return requiredWith(normalize, label, max, missing).refine((value) => LETTER_OR_NUMBER.test(value), missing);
}

/** Optional multi-line text, trimmed; an empty string counts as absent. */
export function optionalText(label: string, max: number = MAX_TEXT_LENGTH) {
  return optionalWith(normalizeMultiLine, label, max);
}

/** Like `optionalText`, for a single line; see `normalizeSingleLine`. */
export function optionalLine(label: string, max: number = MAX_TEXT_LENGTH) {
  return optionalWith(normalizeSingleLine, label, max);
}

/** Optional text that is validated exactly as sent, such as a link. */
export function optionalVerbatim(label: string, max: number = MAX_TEXT_LENGTH) {
  return optionalWith((text) => text, label, max);
}

function requiredWith(
  normalize: TextNormalizer,
  label: string,
  max: number,
  missing: string = `${label} is required.`,
) {
  return plainText(normalize, max, label, missing).refine((value) => VISIBLE_CHARACTER.test(value), missing);
}

function optionalWith(normalize: TextNormalizer, label: string, max: number) {
  return z
    .preprocess((value) => value ?? undefined, plainText(normalize, max, label).optional())
    .transform((value) => value || undefined);
}

/** An email address, normalized as it is stored and compared: NFKC, lower case. */
export function requiredEmail(missingMessage = "Enter your email address.") {
  return requiredText("The email address", MAX_EMAIL_LENGTH, missingMessage)
    .transform(normalizeEmail)
    .pipe(z.email("Enter an email address such as name@example.com."))
    .meta({ format: "email" });
}

/** Parses an id, a positive 32-bit integer; null for anything else. */
export function parseId(value: string | undefined): number | null {
  if (!value || !/^[1-9][0-9]{0,9}$/.test(value)) return null;
  const id = Number(value);
  return isId(id) ? id : null;
}

/** The id in the query's parameter `name`, given at most once; null without. `what` is such as "a document". */
export function readIdParameter(query: URLSearchParams, name: string, what: string): Outcome<number | null> {
  const values = query.getAll(name);
  if (values.length === 0) return accepted(null);
  const id = values.length === 1 ? parseId(values[0]) : null;
  return id === null ? refused("malformed", `${name} must be the id of ${what}, given once.`) : accepted(id);
}

/** Whether a value is an id: a positive 32-bit integer. */
export function isId(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_ID;
}

/** A required id of a form, parsed by `parseId`; `message` is for an absent one and for what is no id. */
export function requiredId(message: string) {
  return stringWithMessages(message, message).transform((value, context) => {
    const id = parseId(value);
    if (id !== null) return id;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
}

/** Like `requiredId`; an empty or absent field is undefined. */
export function optionalId(message: string) {
  return z.preprocess((value) => value || undefined, requiredId(message).optional());
}
