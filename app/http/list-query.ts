import { normalizeText } from "../normalize-text.ts";

const MAX_SEARCH_TERMS = 5;
const MAX_SEARCH_LENGTH = 100;
/** As it is typed: with accents apart from their letters, and white space that is collapsed. */
const MAX_RAW_SEARCH_LENGTH = 10 * MAX_SEARCH_LENGTH;
const MAX_PAGE = 100_000;

/** How many records one page of a list shows. */
export const PAGE_SIZE = 25;

/** The page of a list that an address asks for; whatever is no page is the first. */
export function readPage(query: URLSearchParams): number {
  const text = query.get("page") ?? "";
  return /^\d{1,6}$/.test(text) ? Math.min(Math.max(Number(text), 1), MAX_PAGE) : 1;
}

/** What was typed into a search field: one line. */
export function readSearch(query: URLSearchParams): string {
  const text = (query.get("q") ?? "").slice(0, MAX_RAW_SEARCH_LENGTH).toWellFormed();
  const line = normalizeText(text, "NFC").replace(/[\s\p{Cc}]+/gu, " ");
  return [...line.trim()].slice(0, MAX_SEARCH_LENGTH).join("");
}

export function searchTerms(search: string): string[] {
  return search.split(" ").filter(Boolean).slice(0, MAX_SEARCH_TERMS);
}

/** One of the known values of a filter, else the first. */
export function readFilter<T extends string>(query: URLSearchParams, name: string, values: readonly [T, ...T[]]): T {
  return values.find((value) => value === query.get(name)) ?? values[0];
}

export function countPages(total: number): number {
  return Math.max(1, Math.ceil(total / PAGE_SIZE));
}
