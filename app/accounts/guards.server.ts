import { type MiddlewareFunction, redirect, redirectDocument, type RouterContextProvider } from "react-router";
import { discardUnsentForm, saveUnsentForm } from "./sessions/unsent-form.server.ts";
import type { Person } from "./person.ts";
import { getSession } from "./sessions/session.server.ts";

/** Extends the session; submits nothing of the page's forms. */
const KEEPALIVE_PATH = "/stay-signed-in";

/**
 * A URL can triple in length when it is encoded within another; proxies and browsers drop responses with more than 16
 * KiB of headers.
 */
const MAX_REDIRECT_CHARACTERS = 4096;

const SECOND_FACTOR_PATH = "/second-factor";

/** The signed-in person; null for a visitor, and for an administrator who has yet to set up the second factor. */
export function getPerson(context: Readonly<RouterContextProvider>): Person | null {
  const session = getSession(context);
  return session && !session.isRestricted ? session.person : null;
}

/** Like `getPerson`, for error pages: null also when the session lookup failed. */
export function tryGetPerson(context: Readonly<RouterContextProvider>): Person | null {
  try {
    return getPerson(context);
  } catch {
    return null;
  }
}

/** The signed-in person. Throws on a route without a guard. */
export function requirePerson(context: Readonly<RouterContextProvider>): Person {
  const person = getPerson(context);
  if (!person) throw new Error("This route has no guard.");
  return person;
}

/**
 * Redirects visitors to the sign-in page, which leads back to the requested page. Saves the fields of a posted form.
 */
export const signedInMiddleware: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const isPost = request.method === "POST";
  const referrer = isPost ? refererPath(request, url) : null;
  const returnPath = referrer ?? url.pathname + url.search;
  if (getSession(context)?.isRestricted) throw redirectDocument(SECOND_FACTOR_PATH);
  if (!getPerson(context)) {
    const canReturn = !isPost || (await saveUnsentForm(context, request, returnPath)) || referrer !== null;
    const back = encodeURIComponent(returnPath);
    const fitsHeader = back.length <= MAX_REDIRECT_CHARACTERS;
    throw redirectDocument(canReturn && fitsHeader ? `/login?redirectTo=${back}` : "/login");
  }
  const response = await next();
  if (isPost && url.pathname !== KEEPALIVE_PATH && response.status < 500)
    await discardUnsentForm(context, request, returnPath);
  return response;
};

/** The path of the page with the submitted form, from the Referer header; null if unknown. */
function refererPath(request: Request, url: URL): string | null {
  const referrer = URL.parse(request.headers.get("referer") ?? "");
  return referrer?.host === url.host ? safeRedirect(referrer.pathname + referrer.search) : null;
}

/** Redirects the administrator to her own dashboard: booking is for families. */
export const clientMiddleware: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (!requirePerson(context).isAdmin) return next();
  if (request.method === "GET" || request.method === "HEAD") throw redirect("/dashboard");
  throw forbidden();
};

export const adminMiddleware: MiddlewareFunction<Response> = async ({ context }, next) => {
  if (requirePerson(context).isAdmin) return next();
  throw forbidden();
};

function forbidden(): Response {
  return new Response("You don't have access to this page.", { status: 403, statusText: "Forbidden" });
}

/** Where a sign-in leads: to the set-up of the second factor while that is required, else to `path` of this site. */
export function pathAfterSignIn(context: Readonly<RouterContextProvider>, path: string | null): string {
  return getSession(context)?.isRestricted ? SECOND_FACTOR_PATH : safeRedirect(path);
}

/** Returns `path` if it is a path of this site, else "/". */
export function safeRedirect(path: string | null | undefined): string {
  if (!path || !/^\/(?![/\\])/.test(path) || /[\p{Cc}\\]/u.test(path)) return "/";
  const placeholderOrigin = "https://own.invalid";
  const url = URL.canParse(path, placeholderOrigin) ? new URL(path, placeholderOrigin) : null;
  return url?.origin === placeholderOrigin && !url.pathname.startsWith("//") ? url.pathname + url.search : "/";
}
