import { setImmediate as nextTurn } from "node:timers/promises";
import { env } from "../env.server.ts";

const isPostgres = env.databaseUrl.startsWith("postgres");

/** Sealed texts are searched in the newest so many rows, a part at a time, so that others are answered meanwhile. */
const MAX_SEARCHED = 5_000;
const BATCH = 250;
/** A list of ids is part of the next question, which has room for 999 values on SQLite. */
const MAX_FOUND = 400;

/** A condition of Prisma's: the text holds `word`, capitals or not (SQLite compares so by itself, for A to Z). */
export function containsText(text: string): { contains: string } {
  return isPostgres ? ({ contains: text, mode: "insensitive" } as { contains: string }) : { contains: text };
}

type Texts = { id: number; texts: (string | null | undefined)[] };

/**
 * The ids of rows that hold every one of `words` in some of their texts, capitals or not, for columns that are sealed:
 * the database can't look into them. `read` gives the next `take` rows with an id below `before`, the newest first, each
 * with all the texts that count. Looks at the newest 5,000 rows and finds the newest 400 at most; nothing without words.
 */
export async function idsHolding(
  words: readonly string[],
  read: (before: { lt: number }, take: number) => Promise<Texts[]>,
): Promise<number[]> {
  const found: number[] = [];
  if (words.length === 0) return found;
  const wanted = words.map((word) => word.toLowerCase());
  let lt = 2 ** 31 - 1;
  for (let searched = 0; searched < MAX_SEARCHED; searched += BATCH) {
    const rows = await read({ lt }, BATCH);
    for (const { id, texts } of rows) {
      const whole = texts.join("\n").toLowerCase();
      if (wanted.every((word) => whole.includes(word)) && found.push(id) === MAX_FOUND) return found;
      lt = id;
    }
    if (rows.length < BATCH) break;
    await nextTurn();
  }
  return found;
}
