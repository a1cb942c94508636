import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { env } from "../env.server.ts";
import { normalizeApostrophes, normalizeUnicode } from "../normalize-unicode.ts";

const isPostgres = env.databaseUrl.startsWith("postgres");

/**
 * Number of newest rows in which encrypted texts are searched. They are read in batches, so that other requests run in
 * between.
 */
const MAX_SEARCHED_ROWS = 5_000;
const BATCH_ROWS = 100;
/** Characters that are compared before other requests run. */
const YIELD_AFTER_CHARACTERS = 100_000;
/** Maximum number of ids found. They become parameters of the next query, of which SQLite allows 999. */
export const MAX_FOUND_IDS = 400;

/**
 * Prisma filter for columns that contain `text`, ignoring case (on SQLite by default only for A to Z). Prisma does not
 * escape the wildcards of LIKE. On PostgreSQL they are escaped here; on SQLite each wildcard matches any one character.
 */
export function containsTextFilter(text: string): { contains: string } {
  if (!isPostgres) return { contains: text.replaceAll("%", "_") };
  const contains = text.replace(/[\\%_]/g, String.raw`\$&`);
  return { contains, mode: "insensitive" } as { contains: string };
}

export type SearchableRow = { id: number; texts: (string | null | undefined)[] };
/** Reads the next `take` rows with ids matching `before`, newest first. */
export type ReadSearchableRows<Row extends SearchableRow = SearchableRow> = (
  before: { lt: number },
  take: number,
) => Promise<Row[]>;

/**
 * Returns the ids of rows whose texts contain all of `words`, ignoring case, accents, the kind of apostrophe, and the
 * format of phone numbers. Searches the newest 5,000 rows and returns at most 400 ids; none if `words` is empty.
 */
export async function findIdsInNewestRows(words: readonly string[], read: ReadSearchableRows): Promise<number[]> {
  const found: number[] = [];
  if (words.length === 0) return found;
  const isMatch = createTextMatcher(words);
  for await (const { id, texts } of readNewestRows(read)) if (isMatch(texts) && found.push(id) === MAX_FOUND_IDS) break;
  return found;
}

/** Yields the newest 5,000 rows. Other requests run between the batches, and between rows with long texts. */
export async function* readNewestRows<Row extends SearchableRow>(read: ReadSearchableRows<Row>): AsyncGenerator<Row> {
  let lt = 2 ** 31 - 1;
  for (let searched = 0; searched < MAX_SEARCHED_ROWS; searched += BATCH_ROWS) {
    const rows = await read({ lt }, BATCH_ROWS);
    let characters = 0;
    for (const row of rows) {
      yield row;
      for (const text of row.texts) characters += text?.length ?? 0;
      if (characters < YIELD_AFTER_CHARACTERS) continue;
      characters = 0;
      await yieldToEventLoop();
    }
    lt = rows.at(-1)?.id ?? lt;
    if (rows.length < BATCH_ROWS) return;
    await yieldToEventLoop();
  }
}

const PHONE_CHARACTERS_PATTERN = /[\d\s()./+-]+/g;
const PHONE_NUMBER_PATTERN = /^[\d\s()./+-]+$/;
/** Minimum number of digits of a phone number within a text. A shorter number is a time, a date or a room. */
const MIN_PHONE_DIGITS = 7;

/**
 * Creates a function that checks whether texts contain all of `words`, or with `matchesAny` one of them. A phone number
 * counts as one word, even if it was typed as several.
 */
export function createTextMatcher(
  words: readonly string[],
  { matchesAny = false } = {},
): (texts: SearchableRow["texts"]) => boolean {
  const wordsAsTyped = words.map(toSearchedWord);
  const number = joinPhoneNumber(words);
  const wordVariants = number ? [wordsAsTyped, number.map(toSearchedWord)] : [wordsAsTyped];
  const hasNumber = wordVariants.flat().some(({ digits }) => digits !== "");
  return (texts) => {
    const searchable = texts.map((text) => searchableText(text ?? ""));
    const plain = searchable.join("\n");
    const digits = hasNumber ? searchable.map(phoneDigits).join("\n") : "";
    const isContained = (word: SearchedWord) =>
      plain.includes(word.plain) || (word.digits !== "" && digits.includes(word.digits));
    return wordVariants.some((search) => (matchesAny ? search.some(isContained) : search.every(isContained)));
  };
}

type SearchedWord = ReturnType<typeof toSearchedWord>;

function toSearchedWord(word: string) {
  const plain = searchableText(word);
  const digits = PHONE_NUMBER_PATTERN.test(plain) ? plain.replace(/\D/g, "") : "";
  return { plain, digits: digits.length === 11 ? digits.replace(/^1/, "") : digits };
}

/** Returns the words with those of a phone number joined to one; null if no phone number consists of several words. */
function joinPhoneNumber(words: readonly string[]): string[] | null {
  const parts = words.filter((word) => PHONE_NUMBER_PATTERN.test(word));
  const number = parts.join("");
  if (parts.length < 2 || number.replace(/\D/g, "").length < MIN_PHONE_DIGITS) return null;
  return [...words.filter((word) => !PHONE_NUMBER_PATTERN.test(word)), number];
}

/** Returns the digits of the phone numbers in a text, or all digits of a text that consists of one number only. */
function phoneDigits(text: string): string {
  if (PHONE_NUMBER_PATTERN.test(text)) return text.replace(/\D/g, "");
  const runs = text.match(PHONE_CHARACTERS_PATTERN)?.map((run) => run.replace(/\D/g, "")) ?? [];
  return runs.filter((run) => run.length >= MIN_PHONE_DIGITS).join("\n");
}

/** ASCII without the backtick, which counts as an apostrophe, has nothing to normalize. */
const NORMALIZED_ASCII_PATTERN = /^[\t\n\r\x20-\x5f\x61-\x7e]*$/;

/** Returns a text in the form in which a search compares it. */
function searchableText(text: string): string {
  if (NORMALIZED_ASCII_PATTERN.test(text)) return text.toLowerCase();
  return normalizeApostrophes(normalizeUnicode(text, "NFD").replace(/\p{M}/gu, "")).toLowerCase();
}
