import { readFilter, readPage, readSearch } from "../http/list-query.ts";

export const TIME_FILTERS = ["any", "upcoming", "past"] as const;
export const STATUS_FILTERS = ["any", "scheduled", "rescheduled", "completed", "no-show", "cancelled"] as const;

/** The filters of the dashboard's appointment list. */
export type Filters = {
  search: string;
  when: (typeof TIME_FILTERS)[number];
  status: (typeof STATUS_FILTERS)[number];
  page: number;
};

const FILTER_NAMES = ["q", "when", "status", "page"];

export function readFilters(query: URLSearchParams): Filters {
  return {
    search: readSearch(query),
    when: readFilter(query, "when", TIME_FILTERS),
    status: readFilter(query, "status", STATUS_FILTERS),
    page: readPage(query),
  };
}

/** The dashboard's path with the filters found in `search`. */
export function dashboardPath(queryString: string): string {
  return `/dashboard${filterQuery(queryString)}`;
}

/** The filters as hidden fields, for a form submitted with GET. */
export function hiddenFilterFields(queryString: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(filterQuery(queryString)));
}

/** The filters of a URL's search alone: "?q=maria", or "". */
export function filterQuery(queryString: string): string {
  const filters = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(queryString)) {
    if (FILTER_NAMES.includes(name) && value !== "") filters.append(name, value);
  }
  return filters.size > 0 ? `?${filters}` : "";
}
