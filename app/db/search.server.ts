import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { env } from "../env.server.ts";
import { normalizeUnicode } from "../normalize-unicode.ts";

const isPostgres = env.databaseUrl.startsWith("postgres");

/** Encrypted texts are searched in the newest rows only, in batches, so that other requests run in between. */
const MAX_SEARCHED_ROWS = 5_000;
const BATCH_ROWS = 250;
/** The ids become parameters of the next query, of which SQLite allows 999. */
const MAX_IDS = 400;

/** A Prisma condition: the column contains `text`, ignoring case (on SQLite for A to Z only, as by default). */
export function containsText(text: string): { contains: string } {
  return isPostgres ? ({ contains: text, mode: "insensitive" } as { contains: string }) : { contains: text };
}

type SearchableRow = { id: number; texts: (string | null | undefined)[] };

/**
 * The ids of rows whose texts contain all of `words`, ignoring case, accents, the kind of apostrophe, and how a phone
 * number is written. `read` returns the next `take` rows with
 * ids matching `before`, newest first. Searches the newest 5,000 rows and returns at most 400 ids; none without words.
 */
export async function findIdsContaining(
  words: readonly string[],
  read: (before: { lt: number }, take: number) => Promise<SearchableRow[]>,
): Promise<number[]> {
  const found: number[] = [];
  if (words.length === 0) return found;
  const searchedWords = words.map(searchableText);
  let lt = 2 ** 31 - 1;
  for (let searched = 0; searched < MAX_SEARCHED_ROWS; searched += BATCH_ROWS) {
    const rows = await read({ lt }, BATCH_ROWS);
    for (const { id, texts } of rows) {
      const text = texts.map((each) => searchableText(each ?? "")).join("\n");
      if (searchedWords.every((word) => text.includes(word)) && found.push(id) === MAX_IDS) return found;
      lt = id;
    }
    if (rows.length < BATCH_ROWS) break;
    await yieldToEventLoop();
  }
  return found;
}

const PHONE_NUMBER = /^[\d\s()./+-]+$/;

/** A text as both sides of a search compare it. */
function searchableText(text: string): string {
  const plain = normalizeUnicode(text, "NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[\u2018\u2019\u02bc`\u00b4]/g, "'")
    .toLowerCase();
  return PHONE_NUMBER.test(plain) && /\d/.test(plain) ? plain.replace(/\D/g, "") : plain;
}
