import { accepted, type Outcome, refused } from "./outcome.ts";
import { z } from "zod";
import { normalizeEmail } from "../normalize-email.ts";
import { normalizeMultiLine, normalizeSingleLine } from "./normalize-text.ts";
import { hasExcessiveCombiningMarks } from "../normalize-unicode.ts";

/** Maximum length of fields that have no limit of their own, in characters. */
export const MAX_TEXT_LENGTH = 5000;

const MAX_EMAIL_LENGTH = 254;
/** Maximum id: the databases store ids in 32 bits. */
export const MAX_ID = 2 ** 31 - 1;

/** Counts Unicode code points, because the two databases count other units differently. */
const countCharacters = (value: string) => [...value].length;

/**
 * Builds a string schema with its messages: `missingMessage` for an absent value, `typeMessage` for another type. An
 * empty field of a page counts as absent.
 */
export function stringSchemaWithMessages(missingMessage: string, typeMessage: string) {
  return z.string({ error: ({ input }) => (input === undefined || input === null ? missingMessage : typeMessage) });
}

/** Maximum factor by which normalizing and removing invisible characters shortens a text. */
const MAX_RAW_LENGTH_FACTOR = 10;

type TextNormalizer = (text: string) => string;

/**
 * Builds a check for `superRefine` that reports only the first broken rule. It does not use `abort`, which would also
 * stop the checks of the whole form, such as two passwords that must match.
 */
export function reportFirstBrokenRule(
  ...rules: readonly (readonly [isValid: (value: string) => boolean, message: string])[]
) {
  return (value: string, context: z.RefinementCtx): void => {
    const brokenRule = rules.find(([isValid]) => !isValid(value));
    if (brokenRule) context.addIssue({ code: "custom", message: brokenRule[1] });
  };
}

/**
 * Builds the schema of a text. Rejects characters that can't be stored before normalizing, so that two different texts
 * never become the same.
 */
function plainTextSchema(
  normalize: TextNormalizer,
  maxLength: number,
  label: string,
  missingMessage = `${label} must be text.`,
) {
  const tooLongMessage = `${label} can have at most ${maxLength.toLocaleString("en-US")} characters.`;
  return stringSchemaWithMessages(missingMessage, `${label} must be text.`)
    .trim()
    .superRefine(
      reportFirstBrokenRule(
        [(value) => value.length <= MAX_RAW_LENGTH_FACTOR * maxLength, tooLongMessage],
        [
          (value) => value.isWellFormed() && !value.includes("\u0000"),
          `${label} contains a character that can't be stored.`,
        ],
        [(value) => !hasExcessiveCombiningMarks(value), `${label} has too many accents on one letter.`],
      ),
    )
    .meta({ maxLength })
    .transform(normalize)
    .refine((value) => value.length <= 2 * maxLength && countCharacters(value) <= maxLength, tooLongMessage);
}

/**
 * Matches a character that is visible without another one: a letter, number, punctuation mark or symbol that is neither
 * ignorable (such as Hangul fillers) nor a blank Braille pattern. Doesn't match a combining mark without a letter or an
 * unassigned character.
 */
const VISIBLE_CHARACTER_PATTERN = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;
/** Matches ignorable characters except the joiners, which are part of names in Persian and in Indian scripts. */
const IGNORABLE_CHARACTERS_PATTERN = /(?![\u200C\u200D])\p{Default_Ignorable_Code_Point}/gu;
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u;

/**
 * Builds the schema of required multi-line text. The text is trimmed and must have a visible character. `label` begins
 * the error messages.
 */
export function requiredMultiLineText(label: string, maxLength: number = MAX_TEXT_LENGTH, missingMessage?: string) {
  return requiredNormalizedText(normalizeMultiLine, label, maxLength, missingMessage);
}

/**
 * Builds the schema of required single-line text, such as a name or title; see `requiredMultiLineText` and
 * `normalizeSingleLine`.
 */
export function requiredSingleLine(label: string, maxLength: number = MAX_TEXT_LENGTH, missingMessage?: string) {
  return requiredNormalizedText(normalizeSingleLine, label, maxLength, missingMessage);
}

/**
 * Builds the schema of a person's name: a line with a letter or number. Ignorable characters are removed, so that two
 * different names never look the same.
 */
export function requiredName(label: string, maxLength: number, missingMessage: string) {
  const normalize: TextNormalizer = (text) => normalizeSingleLine(text.replace(IGNORABLE_CHARACTERS_PATTERN, ""));
  return requiredNormalizedText(normalize, label, maxLength, missingMessage).refine(
    (value) => LETTER_OR_NUMBER.test(value),
    missingMessage,
  );
}

/** Builds the schema of optional multi-line text. The text is trimmed; an empty string counts as absent. */
export function optionalMultiLineText(label: string, maxLength: number = MAX_TEXT_LENGTH) {
  return optionalNormalizedText(normalizeMultiLine, label, maxLength);
}

/** Builds the schema of optional single-line text; see `optionalMultiLineText` and `normalizeSingleLine`. */
export function optionalSingleLine(label: string, maxLength: number = MAX_TEXT_LENGTH) {
  return optionalNormalizedText(normalizeSingleLine, label, maxLength);
}

/** Builds the schema of optional text that is not normalized, such as a link. */
export function optionalUnnormalizedText(label: string, maxLength: number = MAX_TEXT_LENGTH) {
  return optionalNormalizedText((text) => text, label, maxLength);
}

function requiredNormalizedText(
  normalize: TextNormalizer,
  label: string,
  maxLength: number,
  missingMessage: string = `${label} is required.`,
) {
  return plainTextSchema(normalize, maxLength, label, missingMessage).refine(
    (value) => VISIBLE_CHARACTER_PATTERN.test(value),
    missingMessage,
  );
}

function optionalNormalizedText(normalize: TextNormalizer, label: string, maxLength: number) {
  return z
    .preprocess((value) => value ?? undefined, plainTextSchema(normalize, maxLength, label).optional())
    .transform((value) => value || undefined);
}

/**
 * Builds the schema of a required email address. It is normalized the way it is stored and compared: NFKC, lower case.
 */
export function requiredEmail(missingMessage = "Enter your email address.") {
  return requiredMultiLineText("The email address", MAX_EMAIL_LENGTH, missingMessage)
    .transform(normalizeEmail)
    .pipe(z.email("Enter an email address such as name@example.com."))
    .meta({ format: "email" });
}

/** Parses an id, a positive 32-bit integer. Returns null for anything else. */
export function parseId(value: string | undefined): number | null {
  if (!value || !/^[1-9][0-9]{0,9}$/.test(value)) return null;
  const id = Number(value);
  return isId(id) ? id : null;
}

/**
 * Reads the id in the query parameter `name`, which may be present at most once. Returns null if it is absent. `resourceLabel`
 * completes the error message, such as "a document".
 */
export function readOptionalIdParameter(
  query: URLSearchParams,
  name: string,
  resourceLabel: string,
): Outcome<number | null> {
  const values = query.getAll(name);
  if (values.length === 0) return accepted(null);
  const id = values.length === 1 ? parseId(values[0]) : null;
  return id === null ? refused("malformed", `${name} must be the id of ${resourceLabel}, given once.`) : accepted(id);
}

/** Checks whether a value is an id: a positive 32-bit integer. */
export function isId(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_ID;
}

/**
 * Builds the schema of a required id in a form, parsed by `parseId`. `message` is shown for an absent and for an
 * invalid id.
 */
export function requiredId(message: string) {
  return stringSchemaWithMessages(message, message).transform((value, context) => {
    const id = parseId(value);
    if (id !== null) return id;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
}

/** Builds the schema of an optional id; see `requiredId`. An empty or absent field becomes undefined. */
export function optionalId(message: string) {
  return z.preprocess((value) => value || undefined, requiredId(message).optional());
}
