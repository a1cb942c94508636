import { readFilter, readPage, readSearch } from "../http/list-query.ts";

export const TIME_FILTERS = ["any", "upcoming", "past"] as const;
export const APPOINTMENT_STATUS_FILTERS = [
  "any",
  "scheduled",
  "rescheduled",
  "completed",
  "no-show",
  "cancelled",
  "open",
  "unpaid",
] as const;
export const SORT_ORDERS = ["date", "family", "money"] as const;

/** The filters of the dashboard's appointment list. */
export type Filters = {
  search: string;
  when: (typeof TIME_FILTERS)[number];
  status: (typeof APPOINTMENT_STATUS_FILTERS)[number];
  sort: (typeof SORT_ORDERS)[number];
  page: number;
};

/** Pages of the administrator's, with a query and a fragment of plain characters. */
const RETURN_PATH =
  /^\/(?:calendar|dashboard\/appointments\/\d{1,10}|families\/\d{1,10}|families|money|requests|documents)(?:\?[\w=&%.+-]{0,500})?(?:#[\w-]{1,40})?$/;

const FILTER_NAMES = ["q", "when", "status", "sort", "page", "from"];
/** Every row of a list repeats the query in its links. */
const MAX_QUERY_LENGTH = 800;

export function readFilters(query: URLSearchParams): Filters {
  return {
    search: readSearch(query),
    when: readFilter(query, "when", TIME_FILTERS),
    status: readFilter(query, "status", APPOINTMENT_STATUS_FILTERS),
    sort: readFilter(query, "sort", SORT_ORDERS),
    page: readPage(query),
  };
}

/** Where a dialog returns to: the page of the administrator's that `from` names, else the dashboard with its filters. */
export function dialogReturnPath(queryString: string): string {
  return returnPath(queryString, `/dashboard${filterQuery(queryString)}`);
}

/** The page of the administrator's that `from` names, else `otherwise`. */
export function returnPath(queryString: string, otherwise: string): string {
  const from = new URLSearchParams(queryString).get("from") ?? "";
  return RETURN_PATH.test(from) ? from : otherwise;
}

/** The filters as hidden fields, for a form submitted with GET. */
export function hiddenFilterFields(queryString: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(filterQuery(queryString)));
}

/** The filters of a URL's search alone, each once: "?q=maria", or "". What is longer than any link of ours is dropped. */
export function filterQuery(queryString: string): string {
  const query = new URLSearchParams(queryString);
  const filters = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const value = query.get(name);
    if (value) filters.append(name, value);
  }
  const text = filters.toString();
  return text === "" || text.length > MAX_QUERY_LENGTH ? "" : `?${text}`;
}
