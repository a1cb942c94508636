import { readFilter, readPageNumber, readSearchText } from "../http/list-query.ts";

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
  "not-told",
] as const;
export const SORT_ORDERS = ["date", "family", "money"] as const;

/** The filters of the dashboard's appointment list. */
export type AppointmentFilters = {
  search: string;
  when: (typeof TIME_FILTERS)[number];
  status: (typeof APPOINTMENT_STATUS_FILTERS)[number];
  sort: (typeof SORT_ORDERS)[number];
  page: number;
};

const FILTER_NAMES = ["q", "when", "status", "sort", "page", "from"];
/** Limits the query because every row of a list repeats it in its links. */
const MAX_QUERY_LENGTH = 800;

export function readAppointmentFilters(query: URLSearchParams): AppointmentFilters {
  return {
    search: readSearchText(query),
    when: readFilter(query, "when", TIME_FILTERS),
    status: readFilter(query, "status", APPOINTMENT_STATUS_FILTERS),
    sort: readFilter(query, "sort", SORT_ORDERS),
    page: readPageNumber(query),
  };
}

/** Returns the filters as hidden fields for a form submitted with GET. */
export function hiddenFilterFields(queryString: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(pickAppointmentFilterParams(queryString)));
}

/**
 * Returns only the filters of a URL's search, each once: "?q=maria", or "". Filters that are longer than
 * MAX_QUERY_LENGTH are dropped; no link of the application is that long.
 */
export function pickAppointmentFilterParams(queryString: string): string {
  const query = new URLSearchParams(queryString);
  const filters = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const value = query.get(name);
    if (value) filters.append(name, value);
  }
  const text = filters.toString();
  return text === "" || text.length > MAX_QUERY_LENGTH ? "" : `?${text}`;
}
