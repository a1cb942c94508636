import { readFilter, readPage, readSearch } from "../http/list-query.ts";

export const TIMES = ["any", "upcoming", "past"] as const;
export const STATUSES = ["any", "scheduled", "rescheduled", "completed", "no-show", "cancelled"] as const;

/** What part of all appointments the dashboard shows. */
export type Filters = {
  question: string;
  when: (typeof TIMES)[number];
  status: (typeof STATUSES)[number];
  page: number;
};

const NAMES = ["q", "when", "status", "page"];

export function readFilters(query: URLSearchParams): Filters {
  return {
    question: readSearch(query),
    when: readFilter(query, "when", TIMES),
    status: readFilter(query, "status", STATUSES),
    page: readPage(query),
  };
}

/** The dashboard with the filters of `search`, whatever dialog they were carried through. */
export function dashboardAddress(search: string): string {
  return `/dashboard${filtersOf(search)}`;
}

/** The same as hidden fields, for a form that is sent by its address. */
export function carriedFilters(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(filtersOf(search)));
}

/** Of an address's search only the filters: "?q=maria", or nothing. */
export function filtersOf(search: string): string {
  const kept = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(search)) {
    if (NAMES.includes(name) && value !== "") kept.append(name, value);
  }
  return kept.size > 0 ? `?${kept}` : "";
}
