import { filterQuery } from "./appointment-filters.ts";

/** Pages of the administrator's, with a query and a fragment of plain characters. */
const RETURN_PATH =
  /^\/(?:calendar|dashboard\/appointments\/\d{1,10}|families\/\d{1,10}|families|money|requests|documents)(?:\?[\w=&%.+-]{0,500})?(?:#[\w-]{1,40})?$/;

/** Where a dialog returns to: the page of the administrator's that `from` names, else the dashboard with its filters. */
export function dialogReturnPath(queryString: string): string {
  return returnPath(queryString, `/dashboard${filterQuery(queryString)}`);
}

/** The page of the administrator's that `from` names, else `otherwise`. */
export function returnPath(queryString: string, otherwise: string): string {
  const from = new URLSearchParams(queryString).get("from") ?? "";
  return RETURN_PATH.test(from) ? from : otherwise;
}

/** The query of the calendar that a dialog of the dashboard was opened from, so that it stays behind it; else null. */
export function calendarBehindDialog({ pathname, search }: URL): URLSearchParams | null {
  const [path, query] = returnPath(search, "").split(/[?#]/);
  return path === "/calendar" && pathname !== "/dashboard" ? new URLSearchParams(query) : null;
}
