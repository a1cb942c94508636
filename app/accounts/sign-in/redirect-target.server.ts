import { type AccountDestination, chosenServiceFromUrl } from "../../practice/account-destination.ts";

/**
 * Maximum length of a redirect target. A URL can triple in length when it is encoded within another one; proxies and
 * browsers drop responses with more than 16 KiB of headers.
 */
const MAX_REDIRECT_CHARACTERS = 4096;

/** Returns the path of the page with the submitted form, from the Referer header; null if unknown. */
export function refererPath(request: Request, url: URL): string | null {
  const referrer = URL.parse(request.headers.get("referer") ?? "");
  return referrer?.host === url.host ? sanitizeRedirectPath(referrer.pathname + referrer.search) : null;
}

/** Returns `path` if it is a path of this site that fits into a header, otherwise "/". */
export function sanitizeRedirectPath(path: string | null | undefined): string {
  if (!path || !/^\/(?![/\\])/.test(path) || /[\p{Cc}\\]/u.test(path)) return "/";
  const placeholderOrigin = "https://own.invalid";
  const url = URL.canParse(path, placeholderOrigin) ? new URL(path, placeholderOrigin) : null;
  if (url?.origin !== placeholderOrigin || url.pathname.startsWith("//")) return "/";
  const ownPath = url.pathname + url.search;
  return fitsHeader(ownPath) ? ownPath : "/";
}

/** Returns the targets in the URL of a sign-in page. */
export function parseSignInRedirect(url: URL): AccountDestination {
  return { redirectTo: sanitizeRedirectPath(url.searchParams.get("redirectTo")), service: chosenServiceFromUrl(url) };
}

/**
 * Returns the URL of a page that leads on to `path`, a path of this site. Leaves out `path` if it is too long for a
 * header.
 */
export function appendRedirectParameter(pagePath: string, path: string): string {
  return fitsHeader(path) ? `${pagePath}?redirectTo=${encodeURIComponent(path)}` : pagePath;
}

function fitsHeader(path: string): boolean {
  return encodeURIComponent(path).length <= MAX_REDIRECT_CHARACTERS;
}
