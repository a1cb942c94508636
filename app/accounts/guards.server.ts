import { type MiddlewareFunction, redirect, redirectDocument, type RouterContextProvider } from "react-router";
import { discardUnsentForm, saveUnsentForm } from "./sessions/unsent-form.server.ts";
import type { Person } from "./person.ts";
import { getSession } from "./sessions/session.server.ts";

/** Says that someone is still there; nothing is sent from the page with it. */
const KEEPALIVE_PATH = "/stay-signed-in";

/** A page's address grows threefold inside another; proxies and browsers drop answers whose headers exceed 16 KiB. */
const MAX_ADDRESS_CHARACTERS = 4096;

/** The signed-in person, or null for a visitor. */
export function getPerson(context: Readonly<RouterContextProvider>): Person | null {
  return getSession(context)?.person ?? null;
}

/** The same on the page of a failure: nobody where even the sign-in could not be looked up. */
export function tryGetPerson(context: Readonly<RouterContextProvider>): Person | null {
  try {
    return getPerson(context);
  } catch {
    return null;
  }
}

/** The signed-in person of a guarded route. */
export function requirePerson(context: Readonly<RouterContextProvider>): Person {
  const person = getPerson(context);
  if (!person) throw new Error("This route has no guard.");
  return person;
}

/** Visitors are sent to sign in and come back to where they were going, with what they had typed. */
export const requireSignedIn: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const isPost = request.method === "POST";
  const referrer = isPost ? refererPath(request, url) : null;
  const returnPath = referrer ?? url.pathname + url.search;
  if (!getPerson(context)) {
    const canReturn = !isPost || (await saveUnsentForm(context, request, returnPath)) || referrer !== null;
    const back = encodeURIComponent(returnPath);
    const isSendable = back.length <= MAX_ADDRESS_CHARACTERS;
    throw redirectDocument(canReturn && isSendable ? `/login?redirectTo=${back}` : "/login");
  }
  const response = await next();
  if (isPost && url.pathname !== KEEPALIVE_PATH && response.status < 500)
    await discardUnsentForm(context, request, returnPath);
  return response;
};

/** The page of ours that a form stands on, as far as the browser says so. */
function refererPath(request: Request, url: URL): string | null {
  const referrer = URL.parse(request.headers.get("referer") ?? "");
  return referrer?.host === url.host ? safeRedirect(referrer.pathname + referrer.search) : null;
}

/** Booking is the families' screen; the consultant has her own. */
export const requireClient: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (!requirePerson(context).isAdmin) return next();
  if (request.method === "GET" || request.method === "HEAD") throw redirect("/dashboard");
  throw forbidden();
};

export const requireAdmin: MiddlewareFunction<Response> = async ({ context }, next) => {
  if (requirePerson(context).isAdmin) return next();
  throw forbidden();
};

function forbidden(): Response {
  return new Response("You don't have access to this page.", { status: 403, statusText: "Forbidden" });
}

/** Where a person goes after signing in: a page of ours, never another site's. */
export function safeRedirect(path: string | null | undefined): string {
  if (!path || !/^\/(?![/\\])/.test(path) || /[\p{Cc}\\]/u.test(path)) return "/";
  const placeholderOrigin = "https://own.invalid";
  const url = URL.canParse(path, placeholderOrigin) ? new URL(path, placeholderOrigin) : null;
  return url?.origin === placeholderOrigin && !url.pathname.startsWith("//") ? url.pathname + url.search : "/";
}
