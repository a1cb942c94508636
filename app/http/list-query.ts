import { normalizeUnicode } from "../normalize-unicode.ts";

const MAX_SEARCH_TERMS = 5;
const MAX_SEARCH_LENGTH = 100;
/** Maximum characters before accents are composed and white space is collapsed. */
const MAX_RAW_SEARCH_LENGTH = 10 * MAX_SEARCH_LENGTH;
const MAX_PAGE = 100_000;

/** Number of records on one page of a list. */
export const PAGE_SIZE = 25;

/** Returns the page number of a query, or 1 for anything that is not a page number. */
export function readPageNumber(query: URLSearchParams): number {
  const text = query.get("page") ?? "";
  return /^\d{1,6}$/.test(text) ? Math.min(Math.max(Number(text), 1), MAX_PAGE) : 1;
}

/** Returns the search text of a query as a single line. */
export function readSearchText(query: URLSearchParams): string {
  const text = (query.get("q") ?? "").slice(0, MAX_RAW_SEARCH_LENGTH).toWellFormed();
  const line = normalizeUnicode(text, "NFC").replace(/[\s\p{Cc}]+/gu, " ");
  return [...line.trim()].slice(0, MAX_SEARCH_LENGTH).join("");
}

export function splitSearchTerms(search: string): string[] {
  return search.split(" ").filter(Boolean).slice(0, MAX_SEARCH_TERMS);
}

/** Returns a filter value of a query, or the first of `values` for anything unknown. */
export function readFilter<T extends string>(query: URLSearchParams, name: string, values: readonly [T, ...T[]]): T {
  return values.find((value) => value === query.get(name)) ?? values[0];
}

export function countPages(total: number, pageSize = PAGE_SIZE): number {
  return Math.max(1, Math.ceil(total / pageSize));
}
