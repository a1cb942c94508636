const MOST_WORDS = 5;
const LONGEST_QUESTION = 100;
const LAST_PAGE = 100_000;

/** How many records one page of a list shows. */
export const PAGE_SIZE = 25;

/** The page of a list that an address asks for; whatever is no page is the first. */
export function readPage(query: URLSearchParams): number {
  const text = query.get("page") ?? "";
  return /^\d{1,6}$/.test(text) ? Math.min(Math.max(Number(text), 1), LAST_PAGE) : 1;
}

/** What was typed into a search field: one line. */
export function readQuestion(query: URLSearchParams): string {
  const line = (query.get("q") ?? "")
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\s\p{Cc}]+/gu, " ");
  return [...line.trim()].slice(0, LONGEST_QUESTION).join("");
}

export function wordsOf(question: string): string[] {
  return question.split(" ").filter(Boolean).slice(0, MOST_WORDS);
}

/** One of the known values of a filter, else the first. */
export function readChoice<T extends string>(query: URLSearchParams, name: string, choices: readonly [T, ...T[]]): T {
  return choices.find((choice) => choice === query.get(name)) ?? choices[0];
}

export function pagesOf(total: number): number {
  return Math.max(1, Math.ceil(total / PAGE_SIZE));
}
