import { filterQuery } from "./appointment-filters.ts";

/** Pages of the administrator's, with a query and a fragment of plain characters. */
const RETURN_PATH =
  /^\/(?:calendar(?:\/(?:weekly-)?hours)?|dashboard\/appointments\/\d{1,10}|families\/\d{1,10}|families|money|requests|documents|search)(?:\?[\w=&%.+-]{0,500})?(?:#[\w-]{1,40})?$/;

/** Where a dialog returns to: the page of the administrator's that `from` names, else the dashboard with its filters. */
export function dialogReturnPath(queryString: string): string {
  return returnPath(queryString, `/dashboard${filterQuery(queryString)}`);
}

/** The page of the administrator's that `from` names, else `otherwise`. */
export function returnPath(queryString: string, otherwise: string): string {
  const from = new URLSearchParams(queryString).get("from") ?? "";
  return RETURN_PATH.test(from) ? from : otherwise;
}

/** How many dialogs can be opened one from another, each with the page below it in its address. */
const MAX_DIALOGS = 3;

/**
 * The page with its query that a dialog of the dashboard was opened from, which stays behind it; null for the dashboard.
 * A dialog that was opened from another one has the same page behind it.
 */
export function pageBehindDialog({ pathname, search }: Pick<URL, "pathname" | "search">): string | null {
  if (!pathname.startsWith("/dashboard/")) return null;
  let query = search;
  for (let depth = 0; depth < MAX_DIALOGS; depth += 1) {
    const [page = "", rest = ""] = returnPath(query, "")
      .replace(/#.*/, "")
      .split(/(?=\?)/);
    if (!page.startsWith("/dashboard/")) return page === "" ? null : page + rest;
    query = rest;
  }
  return null;
}
