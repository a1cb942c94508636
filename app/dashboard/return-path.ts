import { pickAppointmentFilterParams } from "./appointment-filters.ts";

/** Administrator pages, with a query and a fragment of plain characters. */
const RETURN_PATH_PATTERN =
  /^\/(?:calendar(?:\/(?:weekly-)?hours)?|dashboard\/appointments\/\d{1,10}|families\/\d{1,10}|families|money|requests|documents|search)(?:\?[\w=&%.+-]{0,500})?(?:#[\w-]{1,40})?$/;

/**
 * Returns the page to which a dialog returns: the administrator page in `from`, otherwise the dashboard with its
 * filters.
 */
export function dialogReturnPath(queryString: string): string {
  return readReturnPath(queryString, `/dashboard${pickAppointmentFilterParams(queryString)}`);
}

/** Returns the administrator page in `from`, otherwise `fallbackPath`. */
export function readReturnPath(queryString: string, fallbackPath: string): string {
  const from = new URLSearchParams(queryString).get("from") ?? "";
  return RETURN_PATH_PATTERN.test(from) ? from : fallbackPath;
}

/** Maximum number of nested dialogs. Each has the page below it in its address. */
const MAX_NESTED_DIALOGS = 3;

/**
 * Returns the page, with its query, from which a dialog of the dashboard was opened and which stays behind it; null for
 * the dashboard. A dialog opened from another dialog has the same page behind it.
 */
export function pageBehindDialogPath({ pathname, search }: Pick<URL, "pathname" | "search">): string | null {
  if (!pathname.startsWith("/dashboard/")) return null;
  let query = search;
  for (let depth = 0; depth < MAX_NESTED_DIALOGS; depth += 1) {
    const [page = "", rest = ""] = readReturnPath(query, "")
      .replace(/#.*/, "")
      .split(/(?=\?)/);
    if (!page.startsWith("/dashboard/")) return page === "" ? null : page + rest;
    query = rest;
  }
  return null;
}
