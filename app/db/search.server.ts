import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { env } from "../env.server.ts";
import { normalizeApostrophes, normalizeUnicode } from "../normalize-unicode.ts";

const isPostgres = env.databaseUrl.startsWith("postgres");

/** Encrypted texts are searched in the newest rows only, in batches, so that other requests run in between. */
const MAX_SEARCHED_ROWS = 5_000;
const BATCH_ROWS = 250;
/** The ids become parameters of the next query, of which SQLite allows 999. */
export const MAX_FOUND_IDS = 400;

/**
 * A Prisma condition: the column contains `text`, ignoring case (on SQLite for A to Z only, as by default). Prisma leaves
 * the wildcards of LIKE as they are: PostgreSQL takes them escaped; on SQLite each stands for one character, whichever.
 */
export function containsText(text: string): { contains: string } {
  if (!isPostgres) return { contains: text.replaceAll("%", "_") };
  const contains = text.replace(/[\\%_]/g, String.raw`\$&`);
  return { contains, mode: "insensitive" } as { contains: string };
}

export type SearchableRow = { id: number; texts: (string | null | undefined)[] };
/** Reads the next `take` rows with ids matching `before`, newest first. */
type ReadSearchableRows = (before: { lt: number }, take: number) => Promise<SearchableRow[]>;

/**
 * The ids of rows whose texts contain all of `words`, ignoring case, accents, the kind of apostrophe, and how a phone
 * number is written. Searches the newest 5,000 rows and returns at most 400 ids; none without words.
 */
export async function findIdsInNewestRows(words: readonly string[], read: ReadSearchableRows): Promise<number[]> {
  const found: number[] = [];
  if (words.length === 0) return found;
  const isMatch = createMatcher(words);
  for await (const { id, texts } of newestRows(read)) if (isMatch(texts) && found.push(id) === MAX_FOUND_IDS) break;
  return found;
}

/** The newest 5,000 rows, other requests between their batches. */
export async function* newestRows(read: ReadSearchableRows): AsyncGenerator<SearchableRow> {
  let lt = 2 ** 31 - 1;
  for (let searched = 0; searched < MAX_SEARCHED_ROWS; searched += BATCH_ROWS) {
    const rows = await read({ lt }, BATCH_ROWS);
    yield* rows;
    lt = rows.at(-1)?.id ?? lt;
    if (rows.length < BATCH_ROWS) return;
    await yieldToEventLoop();
  }
}

const PHONE_CHARACTERS = /[\d\s()./+-]+/g;
const PHONE_NUMBER = /^[\d\s()./+-]+$/;
/** Fewer digits within a text are a time, a date or a room. */
const MIN_PHONE_DIGITS = 7;

/** Whether texts contain all of `words`; a phone number is one word, however many it was written in. */
export function createMatcher(words: readonly string[]): (texts: SearchableRow["texts"]) => boolean {
  const asWritten = words.map(toSearchedWord);
  const number = joinPhoneNumber(words);
  const searches = number ? [asWritten, number.map(toSearchedWord)] : [asWritten];
  return (texts) => {
    const searchable = texts.map((text) => searchableText(text ?? ""));
    const plain = searchable.join("\n");
    const digits = searchable.map(phoneDigits).join("\n");
    return searches.some((search) =>
      search.every((word) => plain.includes(word.plain) || (word.digits !== "" && digits.includes(word.digits))),
    );
  };
}

function toSearchedWord(word: string) {
  const plain = searchableText(word);
  const digits = PHONE_NUMBER.test(plain) ? plain.replace(/\D/g, "") : "";
  return { plain, digits: digits.length === 11 ? digits.replace(/^1/, "") : digits };
}

/** The words with those of a phone number as one; null where there is none of several words. */
function joinPhoneNumber(words: readonly string[]): string[] | null {
  const parts = words.filter((word) => PHONE_NUMBER.test(word));
  const number = parts.join("");
  if (parts.length < 2 || number.replace(/\D/g, "").length < MIN_PHONE_DIGITS) return null;
  return [...words.filter((word) => !PHONE_NUMBER.test(word)), number];
}

/** The digits of the phone numbers in a text, and of a text that is nothing else. */
function phoneDigits(text: string): string {
  if (PHONE_NUMBER.test(text)) return text.replace(/\D/g, "");
  const runs = text.match(PHONE_CHARACTERS)?.map((run) => run.replace(/\D/g, "")) ?? [];
  return runs.filter((run) => run.length >= MIN_PHONE_DIGITS).join("\n");
}

/** A text as both sides of a search compare it. */
function searchableText(text: string): string {
  return normalizeApostrophes(normalizeUnicode(text, "NFD").replace(/\p{M}/gu, "")).toLowerCase();
}
